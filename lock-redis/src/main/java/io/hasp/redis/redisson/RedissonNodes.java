package io.hasp.redis.redisson;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.ServerIdentity;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.util.NetUtil;
import java.lang.reflect.Method;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.redisson.api.RedissonClient;
import org.redisson.client.NettyHook;
import org.redisson.client.RedisClient;
import org.redisson.client.RedisClientConfig;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisPubSubConnection;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.Protocol;
import org.redisson.config.TransportMode;

/**
 * Connects to the nodes of a cluster by sockets of Redisson's. Its client for a cluster follows redirections and subscribes by itself, and
 * does not say where; so only the layer below it is used, on which that client stands ({@code org.redisson.client}). Thread-safe.
 */
public final class RedissonNodes implements NodeConnection.Connector {
    private final List<String> seeds;
    private final boolean tls;
    private final Duration commandTimeout;
    private final Consumer<RedisClientConfig> settings;
    private final OwnThreads threads = new OwnThreads();
    private final UnaryOperator<String> addresses;
    private final BooleanSupplier over;

    private RedissonNodes(
            List<String> seeds,
            boolean tls,
            Duration commandTimeout,
            Consumer<RedisClientConfig> settings,
            UnaryOperator<String> addresses,
            BooleanSupplier over) {
        this.seeds = seeds;
        this.tls = tls;
        this.commandTimeout = commandTimeout;
        this.settings = settings;
        this.addresses = addresses;
        this.over = over;
    }

    /** True if the application's client is configured for a cluster. */
    public static boolean isFor(RedissonClient redisson) {
        return redisson.getConfig().isClusterConfig();
    }

    /**
     * Creates a connector with the configuration of the application's client, which stays open. The connector works until the client is
     * shut down.
     */
    public static RedissonNodes beside(RedissonClient redisson) {
        RedissonMaster.requireOwnNames(redisson);
        Config config = redisson.getConfig();
        ClusterServersConfig servers = config.useClusterServers();
        List<URI> nodes = servers.getNodeAddresses().stream().map(URI::create).toList();
        return new RedissonNodes(
                nodes.stream()
                        .map(node -> node.getAuthority().replaceFirst("^.*@", ""))
                        .toList(),
                nodes.stream().anyMatch(node -> node.getScheme().equals("rediss")),
                Duration.ofMillis(servers.getTimeout()),
                socket -> {
                    RedissonSettings.copy(config, socket);
                    credentials(nodes, socket);
                    String host = nodes.get(0).getHost();
                    if (nodes.size() == 1 && host != null && !isAddress(host)) {
                        // As Redisson does: nodes report addresses, and certificates are for the configured name.
                        socket.setSslHostname(host);
                    }
                    if (config.getExecutor() != null) {
                        socket.setExecutor(config.getExecutor());
                    }
                    if (config.getEventLoopGroup() != null && config.getTransportMode() == TransportMode.NIO) {
                        socket.setGroup(config.getEventLoopGroup());
                    }
                },
                natMapper(servers),
                () -> redisson.isShuttingDown() || redisson.isShutdown());
    }

    private static boolean isAddress(String host) {
        return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    }

    private static void credentials(List<URI> nodes, RedisClientConfig socket) {
        Optional<String> user = nodes.stream()
                .map(URI::getUserInfo)
                .filter(info -> info != null)
                .findFirst();
        if (user.isPresent() && socket.getPassword() == null) {
            String[] parts = user.get().split(":", 2);
            socket.setUsername(parts.length < 2 || parts[0].isEmpty() ? null : parts[0]);
            socket.setPassword(parts[parts.length - 1]);
        }
    }

    /** Of addresses such as {@code redis://host:port}. By reflection, because Redisson 4 has the type in another package than 3. */
    private static UnaryOperator<String> natMapper(ClusterServersConfig servers) {
        return address -> {
            try {
                Method getter = ClusterServersConfig.class.getMethod("getNatMapper");
                Method map = Arrays.stream(getter.getReturnType().getMethods())
                        .filter(method -> method.getName().equals("map"))
                        .findFirst()
                        .orElseThrow(() -> new NoSuchMethodException("map"));
                Object uri =
                        map.getParameterTypes()[0].getConstructor(String.class).newInstance(address);
                return String.valueOf(map.invoke(getter.invoke(servers), uri));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Redisson's NatMapper", e);
            }
        };
    }

    /** The addresses of nodes that the application has named. */
    public List<String> seeds() {
        return seeds;
    }

    /** The cluster in words, without credentials. */
    public String server() {
        return (tls ? "rediss" : "redis") + "-cluster://" + String.join(",", seeds);
    }

    @Override
    public NodeConnection connect(String host, int port) {
        return new RedissonNode(new SocketsOf(host, port), url(host, port));
    }

    private String url(String host, int port) {
        return (tls ? "rediss://" : "redis://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private CompletableFuture<RedissonSocket> socket(String host, int port, ServerIdentity identity) {
        return connected(host, port, RedisClient::connectAsync)
                .thenCompose(connection -> RedissonInfo.compared(connection, commandTimeout, identity))
                .thenApply(this::socket);
    }

    private RedissonSocket socket(RedisConnection connection) {
        boolean made = false;
        try {
            RedissonSocket socket = new RedissonSocket(connection, commandTimeout);
            made = true;
            return socket;
        } finally {
            if (!made) {
                connection.closeAsync();
            }
        }
    }

    private CompletableFuture<RedisPubSubConnection> socketForMessages(String host, int port, ServerIdentity identity) {
        return connected(host, port, RedisClient::connectPubSubAsync)
                .thenCompose(connection -> RedissonInfo.compared(connection, commandTimeout, identity));
    }

    /**
     * A client for each socket, so that the name of its host is looked up anew. Completes within the command timeout; otherwise no
     * connection is left, also where an error of the JVM let Redisson forget it.
     */
    private <T extends RedisConnection> CompletableFuture<T> connected(
            String host, int port, Function<RedisClient, CompletionStage<T>> connector) {
        CompletableFuture<T> connected = new CompletableFuture<>();
        Consumer<Channel> closesUnlessConnected =
                channel -> connected.whenComplete((connection, failure) -> closeIf(failure != null, channel));
        try {
            if (over.getAsBoolean()) {
                throw RedisFailures.unreachable(url(host, port), new SocketException("closed"));
            }
            connector
                    .apply(RedisClient.create(config(host, port, closesUnlessConnected)))
                    .whenComplete((connection, failure) -> {
                        if (connection == null) {
                            connected.completeExceptionally(failure);
                        } else if (!connected.complete(connection)) {
                            connection.closeAsync();
                        }
                    });
        } catch (RuntimeException | Error e) {
            connected.completeExceptionally(e);
        }
        return connected.orTimeout(commandTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void closeIf(boolean failed, Channel channel) {
        if (failed) {
            channel.close();
        }
    }

    private RedisClientConfig config(String host, int port, Consumer<Channel> onChannel) {
        RedisClientConfig config = threads.lendTo(new RedisClientConfig())
                .setConnectTimeout((int) commandTimeout.toMillis())
                .setKeepAlive(true)
                .setTcpNoDelay(true);
        settings.accept(config);
        NettyHook others = config.getNettyHook();
        return config.setAddress(addresses.apply(url(host, port)))
                .setCommandTimeout((int) commandTimeout.toMillis())
                // As with the other libraries: nothing here needs more.
                .setProtocol(Protocol.RESP2)
                .setNettyHook(new ErrorsEndChannels(others, onChannel));
    }

    @Override
    public Duration commandTimeout() {
        return commandTimeout;
    }

    @Override
    public void close() {
        threads.end();
    }

    private final class SocketsOf implements RedissonNode.Sockets {
        private final String host;
        private final int port;
        private final ServerIdentity identity = new ServerIdentity();

        SocketsOf(String host, int port) {
            this.host = host;
            this.port = port;
        }

        @Override
        public CompletableFuture<RedissonSocket> forCalls() {
            return socket(host, port, identity);
        }

        @Override
        public void watch(Runnable onOtherServer) {
            identity.watch(onOtherServer);
        }

        @Override
        public CompletableFuture<RedisPubSubConnection> forMessages() {
            return socketForMessages(host, port, identity);
        }

        @Override
        public Duration commandTimeout() {
            return commandTimeout;
        }

        @Override
        public boolean over() {
            return over.getAsBoolean();
        }
    }

    /** After the hook of the application. */
    private record ErrorsEndChannels(NettyHook others, Consumer<Channel> onChannel) implements NettyHook {
        @Override
        public void afterBoostrapInitialization(Bootstrap bootstrap) {
            others.afterBoostrapInitialization(bootstrap);
        }

        @Override
        public void afterChannelInitialization(Channel channel) {
            others.afterChannelInitialization(channel);
            ExceptionEndsChannel.in(channel);
            onChannel.accept(channel);
        }
    }
}
