package io.hasp.redis.redisson;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.DelayedTasks;
import io.hasp.redis.server.ServerIdentity;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.client.RedisClient;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisPubSubConnection;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.redisnode.RedisNode;

/**
 * Sockets to the master of an application's Redisson client, made by that client and outside of its pool. The pool keeps a connection
 * that got no answer in use, and Redisson does not say when another server becomes the master. So the master is compared twice a second.
 * Thread-safe.
 */
public final class RedissonMaster implements RedissonNode.Sockets {
    private static final String ANY_NAME = "hasp:c:any";
    private static final Duration COMPARED_EVERY = Duration.ofMillis(500);

    private final RedissonClient redisson;
    private final RedissonServers servers;
    private final ServerIdentity identity = new ServerIdentity();
    private volatile Runnable onOtherServer = () -> {};
    private volatile @Nullable RedisClient latest;
    private volatile boolean closed;

    private RedissonMaster(RedissonClient redisson, RedissonServers servers) {
        this.redisson = redisson;
        this.servers = servers;
    }

    /**
     * A connection on the threads and with the options of the application's client, which stays open.
     *
     * @throws IllegalArgumentException for a client that would not listen at one master only, or that changes names
     */
    public static io.hasp.redis.server.RedisConnection of(RedissonClient redisson) {
        RedissonServers servers = RedissonServers.of(redisson.getConfig());
        requireOwnNames(redisson);
        return new RedissonNode(new RedissonMaster(redisson, servers), servers.words());
    }

    static void requireOwnNames(RedissonClient redisson) {
        if (!redisson.getTopic(ANY_NAME, StringCodec.INSTANCE).getChannelNames().equals(List.of(ANY_NAME))) {
            throw new IllegalArgumentException("the Redisson client has a NameMapper: it must leave names as they are,"
                    + " because scripts and other clients go by them (choose a keyPrefix instead)");
        }
    }

    /**
     * Returns the timeout in the configuration of an application's client, which need not be connected. Throws {@link
     * IllegalArgumentException} as {@link #of} does.
     */
    public static Duration commandTimeout(RedissonClient redisson) {
        Config config = redisson.getConfig();
        return config.isClusterConfig()
                ? Duration.ofMillis(config.useClusterServers().getTimeout())
                : RedissonServers.of(config).commandTimeout();
    }

    @Override
    public CompletableFuture<RedissonSocket> forCalls() {
        return connected(RedisClient::connectAsync)
                .thenCompose(connection -> RedissonInfo.compared(connection, commandTimeout(), identity))
                .thenApply(connection -> new RedissonSocket(connection, commandTimeout()));
    }

    @Override
    public CompletableFuture<RedisPubSubConnection> forMessages() {
        return connected(RedisClient::connectPubSubAsync)
                .thenCompose(connection -> RedissonInfo.compared(connection, commandTimeout(), identity));
    }

    /** Completes within the command timeout; otherwise no connection is left. */
    private <T extends RedisConnection> CompletableFuture<T> connected(
            Function<RedisClient, CompletionStage<T>> connector) {
        CompletableFuture<T> connected = new CompletableFuture<>();
        try {
            if (over()) {
                throw RedisFailures.unreachable(servers.words(), new SocketException("closed"));
            }
            RedisClient master = master();
            if (latest == null) {
                latest = master;
            }
            connector.apply(master).whenComplete((connection, failure) -> {
                if (connection == null) {
                    connected.completeExceptionally(failure);
                } else if (connected.isDone()) {
                    connection.closeAsync();
                } else {
                    ExceptionEndsChannel.in(connection.getChannel());
                    if (!connected.complete(connection)) {
                        connection.closeAsync();
                    }
                }
            });
        } catch (RuntimeException | Error e) {
            connected.completeExceptionally(e);
        }
        return connected.orTimeout(commandTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    private RedisClient master() {
        Config config = redisson.getConfig();
        Object node;
        if (config.isSingleConfig()) {
            node = redisson.getRedisNodes(RedisNodes.SINGLE).getInstance();
        } else if (config.isSentinelConfig()) {
            node = redisson.getRedisNodes(RedisNodes.SENTINEL_MASTER_SLAVE).getMaster();
        } else {
            node = redisson.getRedisNodes(RedisNodes.MASTER_SLAVE).getMaster();
        }
        return Optional.ofNullable(node)
                .map(known -> ((RedisNode) known).getClient())
                .orElseThrow(() -> RedisFailures.unreachable(
                        servers.words(), new SocketException("the Redisson client knows no master")));
    }

    @Override
    public void watch(Runnable listener) {
        onOtherServer = listener;
        identity.watch(listener);
        if (servers.followsMaster()) {
            compareLater();
        }
    }

    private void compareLater() {
        DelayedTasks.after(COMPARED_EVERY).execute(() -> {
            if (!closed && !over()) {
                try {
                    compare();
                } finally {
                    compareLater();
                }
            }
        });
    }

    private void compare() {
        RedisClient present;
        try {
            present = master();
        } catch (RuntimeException e) {
            return; // While there is no master, there is nothing to compare.
        }
        RedisClient before = latest;
        latest = present;
        if (before != null && !Objects.equals(before.getAddr(), present.getAddr())) {
            identity.forget();
            onOtherServer.run();
        }
    }

    @Override
    public Duration commandTimeout() {
        return servers.commandTimeout();
    }

    @Override
    public boolean over() {
        return redisson.isShuttingDown() || redisson.isShutdown();
    }

    @Override
    public void close() {
        closed = true;
    }
}
