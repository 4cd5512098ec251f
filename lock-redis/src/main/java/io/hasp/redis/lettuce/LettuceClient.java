package io.hasp.redis.lettuce;

import io.hasp.redis.server.RedisEndpoint;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Connections of which each has one socket in its life. A connection that reconnects keeps the commands that were not answered,
 * and sends them again, however it treats later ones. So Lettuce's own reconnection is off, and whoever uses a connection takes
 * another one when it ends: no command is sent twice, and why connecting fails, is known. Thread-safe.
 *
 * @param client opens the connections; never the application's own
 * @param ours the threads below the client, to be ended with it; empty for the application's
 * @param uri where the server is, or the sentinels that know it
 * @param commandTimeout how long to connect, and to wait for one reply
 * @param server in words, without credentials
 * @param closed ends connections that are made while it closes
 */
record LettuceClient(
        RedisClient client,
        Optional<ClientResources> ours,
        RedisURI uri,
        Duration commandTimeout,
        String server,
        AtomicBoolean closed) {
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** With threads of its own. */
    static LettuceClient of(RedisEndpoint endpoint) {
        ClientOptions options = ClientOptions.builder()
                .socketOptions(sockets(endpoint.commandTimeout()))
                .sslOptions(ssl(endpoint))
                .build();
        ClientResources ours = DefaultClientResources.builder()
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(new WritesTogether())
                .build();
        try {
            return with(ours, Optional.of(ours), options, LettuceUris.of(endpoint), endpoint.server());
        } catch (RuntimeException | Error e) {
            ours.shutdown(0, CLOSING.toMillis(), TimeUnit.MILLISECONDS);
            throw e;
        }
    }

    /** With the threads, the resolver and the options of an application's client. */
    static LettuceClient beside(ClientResources threads, ClientOptions options, RedisURI uri) {
        return with(threads, Optional.empty(), options, uri, LettuceUris.words(uri));
    }

    /** One that connects elsewhere, on the same threads and with the same options. */
    LettuceClient at(RedisURI other) {
        return beside(client.getResources(), client.getOptions(), other);
    }

    private static LettuceClient with(
            ClientResources resources,
            Optional<ClientResources> ours,
            ClientOptions options,
            RedisURI uri,
            String server) {
        Duration timeout = uri.getTimeout().isZero() ? RedisURI.DEFAULT_TIMEOUT_DURATION : uri.getTimeout();
        RedisClient client = RedisClient.create(resources, uri);
        client.setOptions(options.mutate()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .pingBeforeActivateConnection(true)
                // As with Jedis: nothing here needs more.
                .protocolVersion(ProtocolVersion.RESP2)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .build());
        return new LettuceClient(client, ours, uri, timeout, server, new AtomicBoolean());
    }

    /** A peer that vanishes without a word is noticed within two minutes, even if nothing is sent to it. */
    private static SocketOptions sockets(Duration timeout) {
        return SocketOptions.builder()
                .connectTimeout(timeout)
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(Duration.ofSeconds(60))
                        .interval(Duration.ofSeconds(15))
                        .count(4)
                        .build())
                .build();
    }

    private static SslOptions ssl(RedisEndpoint endpoint) {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider().handshakeTimeout(endpoint.commandTimeout());
        endpoint.trustStore()
                .ifPresent(file -> ssl.truststore(
                        file.toFile(), endpoint.trustStorePassword().orElse("")));
        endpoint.keyStore()
                .ifPresent(file -> ssl.keystore(
                        file.toFile(), endpoint.keyStorePassword().orElse("").toCharArray()));
        return ssl.build();
    }

    CompletableFuture<StatefulRedisConnection<String, String>> connect(RedisURI address) {
        return begun(() -> client.connectAsync(StringCodec.UTF8, address).toCompletableFuture());
    }

    CompletableFuture<StatefulRedisPubSubConnection<String, String>> connectForMessages(RedisURI address) {
        return begun(() -> client.connectPubSubAsync(StringCodec.UTF8, address).toCompletableFuture());
    }

    CompletableFuture<StatefulRedisSentinelConnection<String, String>> connectToSentinel(RedisURI sentinel) {
        return begun(() -> client.connectSentinelAsync(StringCodec.UTF8, sentinel));
    }

    /**
     * Connects; once more if Lettuce does not know why that failed: it may know the second time, and what is told of a refusal
     * decides what the user looks for.
     */
    private <T extends StatefulConnection<?, ?>> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> connecting) {
        return begunOnce(connecting)
                .exceptionallyCompose(failure -> LettuceFailures.isUnexplained(failure)
                        ? begunOnce(connecting)
                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * Connects with the class loader of Lettuce as the thread's, and that of the threads which it starts: Lettuce looks for classes of
     * its own by that one, which in a container may lead to another copy.
     */
    private <T extends StatefulConnection<?, ?>> CompletableFuture<T> begunOnce(
            Supplier<CompletableFuture<T>> connecting) {
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(RedisClient.class.getClassLoader());
            return connecting.get().whenComplete((connection, failure) -> {
                if (connection != null && closed.get()) {
                    connection.closeAsync();
                }
            });
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e); // Its threads are shut down, or can't be started.
        } finally {
            thread.setContextClassLoader(context);
        }
    }

    /** Runs a task on a thread of Lettuce's; not at all if these have ended. */
    void later(Duration delay, Runnable task) {
        try {
            client.getResources().eventExecutorGroup().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            // Refused: nothing of this client works any more.
        }
    }

    /** Ends a connection that is used no more: at once if it is broken, else after the replies that are still to come. */
    void end(StatefulConnection<?, ?> connection) {
        boolean planned = false;
        try {
            if (connection.isOpen()) {
                later(commandTimeout, connection::closeAsync);
                planned = true;
            }
        } catch (Error e) {
            // No memory for a timer: at once.
        }
        if (!planned) {
            connection.closeAsync();
        }
    }

    /** Ends all connections, without waiting for replies. Neither an interrupt nor a peer that does not answer prolongs it. */
    void close() {
        closed.set(true);
        try {
            client.shutdownAsync(0, CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                    .handle((closed, failure) -> true)
                    .completeOnTimeout(false, CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            ours.ifPresent(resources -> resources
                    .shutdown(0, CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                    .awaitUninterruptibly(CLOSING.toMillis()));
        }
    }

    /**
     * Commands that many threads have given to a connection's thread go out by one system call instead of one for each; but not too
     * many together, because the server waits meanwhile.
     */
    private static final class WritesTogether implements NettyCustomizer {
        private static final int MOST = 4;

        @Override
        public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addFirst(new FlushConsolidationHandler(MOST, true));
        }
    }
}
