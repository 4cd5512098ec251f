package io.hasp.redis.lettuce;

import io.hasp.redis.server.RedisEndpoint;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Opens connections that each use one socket and never reconnect. Lettuce's own reconnection would send unanswered commands again, so it
 * is off. A user of a connection opens another one when it ends: no command is sent twice, and the reason of a failed connection is known.
 * Thread-safe.
 *
 * @param client opens the connections; never the application's own client
 * @param ours the threads below the client, to be ended with it; empty for the application's
 * @param uri where the server is, or the sentinels that know it
 * @param commandTimeout how long to connect, and to wait for one reply
 * @param server description without credentials
 * @param connecting unfinished openings, which fail when this client closes
 * @param closed ends connections that are made while it closes
 */
record LettuceClient(
        RedisClient client,
        Optional<OwnResources> ours,
        RedisURI uri,
        Duration commandTimeout,
        String server,
        Queue<CompletableFuture<?>> connecting,
        AtomicBoolean closed) {
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);
    /** Of connecting, each of which may take a command's timeout: the socket, TLS, who we are, and that the server answers. */
    private static final int STEPS = 4;

    /** With threads of its own. */
    static LettuceClient of(RedisEndpoint endpoint) {
        OwnResources ours = new OwnResources(new WritesTogether());
        try {
            return with(
                    ours.resources(),
                    Optional.of(ours),
                    LettuceOptions.of(endpoint),
                    LettuceUris.of(endpoint),
                    endpoint.server());
        } catch (RuntimeException | Error e) {
            ours.end(CLOSING);
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
            Optional<OwnResources> ours,
            ClientOptions options,
            RedisURI uri,
            String server) {
        Duration timeout = timeout(uri);
        RedisClient client = RedisClient.create(ClosingOnError.of(resources), uri);
        client.setOptions(LettuceOptions.forOneSocket(options));
        return new LettuceClient(
                client, ours, uri, timeout, server, new ConcurrentLinkedQueue<>(), new AtomicBoolean());
    }

    /** Zero is none for Lettuce, and what does not fit into a number of nanoseconds is none for us. */
    static Duration timeout(RedisURI uri) {
        Duration timeout = uri.getTimeout().isZero() ? RedisURI.DEFAULT_TIMEOUT_DURATION : uri.getTimeout();
        return timeout.compareTo(LONGEST_TIMEOUT) < 0 ? timeout : LONGEST_TIMEOUT;
    }

    CompletableFuture<StatefulRedisConnection<String, String>> connect(RedisURI address) {
        return begun(
                () -> client.connectAsync(StringCodec.UTF8, bounded(address)).toCompletableFuture());
    }

    CompletableFuture<StatefulRedisPubSubConnection<String, String>> connectForMessages(RedisURI address) {
        return begun(() ->
                client.connectPubSubAsync(StringCodec.UTF8, bounded(address)).toCompletableFuture());
    }

    CompletableFuture<StatefulRedisSentinelConnection<String, String>> connectToSentinel(RedisURI sentinel) {
        return begun(() -> client.connectSentinelAsync(StringCodec.UTF8, bounded(sentinel)));
    }

    /** An application's may have no timeout. */
    private RedisURI bounded(RedisURI address) {
        return RedisURI.builder(address).withTimeout(commandTimeout).build();
    }

    /**
     * Connects, and tries once more if Lettuce does not report why the attempt failed. The second attempt may report it, and the reason is
     * what a user has to look for.
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
     *
     * <p>The stage always completes, also if Lettuce loses its own, for want of memory or because its threads end: all later commands
     * wait for it.
     */
    private <T extends StatefulConnection<?, ?>> CompletableFuture<T> begunOnce(
            Supplier<CompletableFuture<T>> connector) {
        if (isShutDown()) {
            return CompletableFuture.failedFuture(new RedisException("its client was shut down"));
        }
        CompletableFuture<T> begun = new CompletableFuture<>();
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(RedisClient.class.getClassLoader());
            connecting.removeIf(CompletableFuture::isDone);
            connecting.add(begun);
            begun.orTimeout(longestConnect().toMillis(), TimeUnit.MILLISECONDS);
            connector.get().whenComplete((connection, failure) -> {
                if (connection == null) {
                    begun.completeExceptionally(failure);
                } else if (closed.get() || !begun.complete(connection)) {
                    connection.closeAsync();
                }
            });
            if (closed.get()) {
                failConnecting();
            }
        } catch (RuntimeException | Error e) {
            begun.completeExceptionally(e); // Its threads are shut down, or can't be started.
        } finally {
            thread.setContextClassLoader(context);
        }
        return begun;
    }

    /** By the application: nothing can be connected any more, and there is nothing to close. Netty would log each attempt. */
    private boolean isShutDown() {
        return client.getResources().eventExecutorGroup().isShuttingDown();
    }

    private void failConnecting() {
        connecting.forEach(one -> one.completeExceptionally(new RedisException("closed")));
    }

    /** The reply to {@code INFO}; empty for a user who may not ask. The connection is closed if that fails. */
    <T extends StatefulRedisConnection<String, String>> CompletionStage<T> identified(
            T connection, Optional<String> section, Consumer<String> check) {
        CompletionStage<String> info = section.isPresent()
                ? connection.async().info(section.get())
                : connection.async().info();
        return info.toCompletableFuture()
                .copy()
                .orTimeout(commandTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> LettuceFailures.isErrorReply(failure)
                        ? CompletableFuture.completedStage("")
                        : CompletableFuture.failedStage(failure))
                .thenApply(reply -> {
                    check.accept(reply);
                    return connection;
                })
                .whenComplete((fit, failure) -> {
                    if (failure != null) {
                        connection.closeAsync();
                    }
                });
    }

    /** After which time connecting has come to something. */
    Duration longestConnect() {
        return commandTimeout.multipliedBy(STEPS);
    }

    /** Runs a task on a thread of Lettuce's; not at all if these have ended. */
    void later(Duration delay, Runnable task) {
        try {
            client.getResources().eventExecutorGroup().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            // Refused: nothing of this client works any more.
        }
    }

    /** Closes a connection that is used no more: at once if it is broken, else after the replies that are still to come. */
    void close(boolean open, Runnable closing) {
        boolean planned = false;
        try {
            if (open) {
                CompletableFuture.delayedExecutor(commandTimeout.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
                        .execute(() -> closeNow(closing));
                planned = true;
            }
        } catch (Error e) {
            // No memory for a timer: at once.
        }
        if (!planned) {
            closeNow(closing);
        }
    }

    /** Unless it closes with the client: Lettuce warns of a connection that is closed twice. */
    void closeNow(Runnable closing) {
        if (!closed.get() && !isShutDown()) {
            closing.run();
        }
    }

    /** From now on a connection closes with the client only. */
    void stopConnecting() {
        closed.set(true);
    }

    /** Ends all connections, without waiting for replies. Neither an interrupt nor a peer that does not answer prolongs it. */
    void close() {
        stopConnecting();
        try {
            ours.ifPresent(OwnResources::closeResolvers);
        } finally {
            try {
                if (!isShutDown()) {
                    client.shutdownAsync(0, CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                            .handle((closed, failure) -> true)
                            .completeOnTimeout(false, CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                            .join();
                }
            } finally {
                ours.ifPresent(resources -> resources.end(CLOSING));
                failConnecting();
            }
        }
    }

    /**
     * Commands that many threads have given to a connection's thread go out by one system call instead of one for each. The number is
     * limited, because the server idles until the commands arrive.
     */
    private static final class WritesTogether implements NettyCustomizer {
        private static final int MOST = 4;

        @Override
        public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addFirst(new FlushConsolidationHandler(MOST, true));
        }
    }
}
