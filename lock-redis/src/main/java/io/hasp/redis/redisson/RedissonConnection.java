package io.hasp.redis.redisson;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.ClientThreads;
import io.hasp.spi.StackReserve;
import io.netty.channel.Channel;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.redisson.Redisson;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.StatusListener;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Carries the commands through Redisson, asynchronously; stages complete on its Netty threads. */
public final class RedissonConnection implements RedisConnection {
    private static final String ANY_NAME = "hasp:c:any";

    private final RedissonClient redisson;
    private final ScriptBatches scripts;
    /** The connections of a client of our own; empty for the application's, which we leave to it. */
    private final Optional<RedissonChannels> ours;

    private final RedissonServers servers;
    private final String server;
    private final Queue<RTopic> topics = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Runnable onOtherServer = () -> {};

    private RedissonConnection(RedissonClient redisson, Optional<RedissonChannels> ours, RedissonServers servers) {
        this.redisson = redisson;
        this.scripts = new ScriptBatches(redisson, servers.commandTimeout().multipliedBy(2L * (servers.retries() + 1)));
        this.ours = ours;
        this.servers = servers;
        this.server = servers.words();
    }

    /** A client of our own, which never sends a command twice. */
    public static RedissonConnection open(RedisEndpoint endpoint) {
        return open(endpoint, channel -> {});
    }

    /** The same, and shows each connection before it is used. */
    public static RedissonConnection open(RedisEndpoint endpoint, Consumer<Channel> onConnecting) {
        Config redisson = new Config();
        redisson.setCodec(StringCodec.INSTANCE);
        // We have our own; its needs another permission.
        redisson.setUseScriptCache(false);
        RedissonChannels channels = new RedissonChannels(onConnecting);
        redisson.setNettyHook(channels);
        int timeout = (int) endpoint.commandTimeout().toMillis();
        String address =
                endpoint.database() == 0 ? endpoint.server() : endpoint.server().replaceFirst("/\\d+$", "");
        SingleServerConfig single = redisson.useSingleServer()
                .setAddress(address)
                .setDatabase(endpoint.database())
                .setConnectionMinimumIdleSize(2)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setTimeout(timeout)
                .setConnectTimeout(timeout)
                .setRetryAttempts(0);
        RedissonSecurity.configure(redisson, single, endpoint);
        try {
            return new RedissonConnection(
                    Redisson.create(redisson),
                    Optional.of(channels),
                    new RedissonServers(
                            endpoint.server(), false, 0, endpoint.commandTimeout(), single.getConnectionPoolSize()));
        } catch (RuntimeException e) {
            throw RedissonFailures.ofCommand(endpoint.server(), e);
        }
    }

    static void requireOwnNames(RedissonClient redisson) {
        if (!redisson.getTopic(ANY_NAME, StringCodec.INSTANCE).getChannelNames().equals(List.of(ANY_NAME))) {
            throw new IllegalArgumentException("the Redisson client has a NameMapper: it must leave names as they are,"
                    + " because scripts and other clients go by them (choose a keyPrefix instead)");
        }
    }

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        if (closed.get() || redisson.isShuttingDown()) {
            return CompletableFuture.failedStage(RedisFailures.unreachable(server, new SocketException("closed")));
        }
        try {
            StackReserve.require();
            return scripts.evaluate(command, script, keys, arguments)
                    .exceptionallyCompose(
                            failure -> CompletableFuture.failedStage(RedissonFailures.ofCommand(server, failure)));
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(RedissonFailures.ofCommand(server, e));
        }
    }

    @Override
    public Subscription subscribe(String channel, ChannelListener listener) {
        ChannelSubscription subscription = new ChannelSubscription(listener, () -> onOtherServer.run());
        ours.ifPresent(channels -> channels.onInterruption(subscription::interrupted));
        try {
            RTopic topic = redisson.getTopic(channel, StringCodec.INSTANCE);
            topics.add(topic);
            topic.addListener(subscription);
            topic.addListener(
                    String.class, (name, message) -> listener.onMessage().accept(message));
            return subscription;
        } catch (RuntimeException e) {
            throw RedissonFailures.ofCommand(server, e);
        }
    }

    @Override
    public Duration resendsWithin() {
        return Duration.ZERO;
    }

    /** It follows the master by itself, and does not say so; but it takes its subscription to the new one. */
    @Override
    public void onOtherServer(Consumer<Predicate<String>> listener) {
        if (servers.followsMaster()) {
            onOtherServer = () -> listener.accept(lock -> true);
        }
    }

    @Override
    public Acknowledging acknowledging(int replicas, Duration within) {
        return new GroupCommit(new BatchAcknowledging(redisson, server, servers.commandTimeout(), replicas, within));
    }

    /** The application's own client stays as it is. */
    @Override
    public void reconnect() {
        ours.ifPresent(RedissonChannels::end);
    }

    @Override
    public boolean mayReplay() {
        return servers.retries() > 0;
    }

    @Override
    public Duration commandTimeout() {
        return servers.commandTimeout();
    }

    @Override
    public String server() {
        return server;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (ours.isPresent()) {
            // Redisson's shutdown would swallow an interrupt of the caller; waiting here keeps it.
            CompletableFuture.runAsync(
                            () -> redisson.shutdown(0, 2, TimeUnit.SECONDS),
                            task -> ClientThreads.daemon(task, "hasp-redisson-shutdown")
                                    .start())
                    .join();
        } else {
            topics.forEach(RTopic::removeAllListenersAsync);
        }
    }

    /** Follows a subscription over reconnections, which Redisson does by itself. */
    private static final class ChannelSubscription implements StatusListener, Subscription {
        private final ChannelListener listener;
        private final Runnable onReturn;
        private volatile boolean live = true;

        ChannelSubscription(ChannelListener listener, Runnable onReturn) {
            this.listener = listener;
            this.onReturn = onReturn;
        }

        @Override
        public void onSubscribe(String channel) {
            live = true;
            listener.onReturn().run();
            onReturn.run();
        }

        @Override
        public void onUnsubscribe(String channel) {
            interrupted();
        }

        void interrupted() {
            live = false;
            listener.onInterruption().run();
        }

        @Override
        public boolean live() {
            return live;
        }
    }
}
