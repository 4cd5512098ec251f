package io.hasp.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;

/**
 * Listens to a channel on a thread and a socket of its own, and comes back with growing delays when the socket breaks. A
 * socket that is dead without having been closed looks like a silent channel; so it is replaced when commands fail, and
 * after minutes of silence.
 */
final class JedisSubscription implements RedisConnection.Subscription {
    private static final long FIRST_DELAY_MS = 50;
    private static final long LONGEST_DELAY_MS = 2_000;
    private static final int LONGEST_SILENCE_MS = 120_000;

    private final String server;
    private final Duration timeout;
    private final Supplier<Connection> connect;
    private final String channel;
    private final Runnable onReturn;
    private final JedisPubSub listener;
    private final CompletableFuture<Void> confirmed = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::listen, "hasp-redis-subscription");
    private volatile @Nullable Connection connection;
    private volatile boolean live;

    JedisSubscription(
            String server,
            Duration timeout,
            Supplier<Connection> connect,
            String channel,
            Consumer<String> onMessage,
            Runnable onReturn) {
        this.server = server;
        this.timeout = timeout;
        this.connect = connect;
        this.channel = channel;
        this.onReturn = onReturn;
        this.listener = new JedisPubSub() {
            @Override
            public void onMessage(String name, String message) {
                onMessage.accept(message);
            }

            @Override
            public void onSubscribe(String name, int count) {
                confirm();
            }
        };
        thread.setDaemon(true);
    }

    /** Returns when the server has confirmed; throws as {@link JedisConnection#notConnected} says. */
    void start() {
        thread.start();
        try {
            confirmed.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            close();
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : Failures.unreachable(server, new TimeoutException("it does not confirm the subscription"));
        }
    }

    @Override
    public boolean live() {
        return live;
    }

    private void confirm() {
        live = true;
        Connection socket = connection;
        if (socket != null) {
            socket.setSoTimeout(LONGEST_SILENCE_MS);
        }
        if (!confirmed.complete(null)) {
            onReturn.run();
        }
    }

    private void listen() {
        long delay = FIRST_DELAY_MS;
        do {
            try (Connection socket = connect.get()) {
                connection = socket;
                if (closed.getCount() > 0) {
                    listener.proceed(socket, channel);
                }
            } catch (RuntimeException e) {
                if (confirmed.completeExceptionally(JedisConnection.notConnected(server, e))) {
                    return;
                }
            }
            delay = live ? FIRST_DELAY_MS : Math.min(2 * delay, LONGEST_DELAY_MS);
            live = false;
        } while (!closedWithin(delay));
    }

    private boolean closedWithin(long delay) {
        try {
            return closed.await(delay, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** The socket may be dead: takes another. */
    void replaceSocket() {
        Connection socket = connection;
        if (live && socket != null) {
            disconnect(socket);
        }
    }

    void close() {
        closed.countDown();
        Connection socket = connection;
        if (socket != null) {
            disconnect(socket);
        }
    }

    private static void disconnect(Connection socket) {
        try {
            socket.forceDisconnect();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
