package io.hasp.redis.jedis;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.DelayedTasks;
import io.hasp.redis.server.RedisConnection;
import io.hasp.spi.ClientThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisPubSub;

/**
 * Listens to a channel on a thread and a socket of its own, and comes back with growing delays when the socket breaks. A
 * socket that is dead without having been closed looks like a silent channel; so the server is asked to confirm it again every
 * few seconds, and it is replaced when it does not, and when commands fail. After any error, one of a listener included, it takes another socket and says that messages may be
 * missing: a thread that ended unnoticed would leave every waiter to its poll.
 */
public final class JedisSubscription implements RedisConnection.Subscription {
    private static final long FIRST_DELAY_MS = 50;
    private static final long LONGEST_DELAY_MS = 2_000;

    private final String server;
    private final Duration timeout;
    private final Supplier<PollableConnection> connect;
    private final String channel;
    private final ChannelListener listener;
    private final JedisPubSub messages;
    private final CompletableFuture<Void> confirmed = new CompletableFuture<>();
    private final Thread thread = ClientThreads.daemon(this::listen, "hasp-redis-subscription");
    private volatile @Nullable PollableConnection connection;
    /** The socket that is there, or on its way, leads to a former server. */
    private volatile boolean left;

    private volatile boolean live;
    private volatile long liveSince;
    private volatile boolean closed;

    public JedisSubscription(
            String server,
            Duration timeout,
            Supplier<PollableConnection> connect,
            String channel,
            ChannelListener listener) {
        this.server = server;
        this.timeout = timeout;
        this.connect = connect;
        this.channel = channel;
        this.listener = listener;
        this.messages = new JedisPubSub() {
            @Override
            public void onMessage(String name, String message) {
                listener.onMessage().accept(message);
            }

            @Override
            public void onSubscribe(String name, int count) {
                confirm();
            }
        };
        thread.setDaemon(true);
    }

    /** Returns when the server has confirmed; throws as {@link JedisFailures#notConnected} says. */
    public void start() {
        boolean started = false;
        try {
            thread.start();
            confirmed.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).join();
            started = true;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : RedisFailures.unreachable(server, new TimeoutException("it does not confirm the subscription"));
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** Returns at once. The first connection as well is made when it can be, and the listener hears of it. */
    void startLater() {
        confirmed.complete(null);
        thread.start();
    }

    @Override
    public boolean live() {
        return live;
    }

    /** The server says so each time that it is asked. */
    private void confirm() {
        if (live) {
            return;
        }
        liveSince = System.nanoTime();
        live = true;
        PollableConnection socket = connection;
        if (socket != null) {
            socket.setSoTimeout((int) CONFIRMED_EVERY.plus(timeout).toMillis());
            confirmLater(socket);
        }
        if (!confirmed.complete(null)) {
            listener.onReturn().run();
        }
    }

    private void confirmLater(PollableConnection socket) {
        DelayedTasks.after(CONFIRMED_EVERY).execute(() -> confirmAgain(socket));
    }

    /** Whatever goes wrong, the thread that reads from the socket goes on with another one. */
    private void confirmAgain(PollableConnection socket) {
        if (!live || connection != socket) {
            return;
        }
        try {
            messages.subscribe(channel);
            confirmLater(socket);
        } catch (RuntimeException | Error e) {
            socket.cut();
        }
    }

    private void listen() {
        long delay = FIRST_DELAY_MS;
        while (!closed) {
            try {
                hear();
            } catch (RuntimeException | Error e) {
                // Not even its failure could be noted. The next socket may have more luck.
            }
            delay = live ? FIRST_DELAY_MS : Math.min(2 * delay, LONGEST_DELAY_MS);
            interrupted();
            pause(delay);
        }
    }

    /** If this throws, the listener hears of it when the channel is back. */
    private void interrupted() {
        boolean wasLive = live;
        live = false;
        try {
            if (wasLive && !closed) {
                listener.onInterruption().run();
            }
        } catch (RuntimeException | Error e) {
            // As above.
        }
    }

    /** Returns, or throws, when the socket is of no use any more. */
    private void hear() {
        try {
            left = false;
            PollableConnection socket = connect.get();
            connection = socket;
            // Who closes or leaves after this check finds the socket, which Jedis can't replace.
            if (!closed && !left) {
                messages.proceed(socket, channel);
            }
        } catch (RuntimeException e) {
            refused(JedisFailures.notConnected(server, e));
        } catch (Error e) {
            refused(RedisFailures.unreachable(server, e));
        } finally {
            disconnect();
        }
    }

    /** The first connection has failed: tells the caller of start. */
    private void refused(RuntimeException why) {
        if (confirmed.completeExceptionally(why)) {
            closed = true;
        }
    }

    private void pause(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            Thread.interrupted(); // No caller may interrupt it; with the flag set it would not pause.
        }
    }

    /** The socket may be dead: takes another. */
    public void replaceSocket() {
        if (live) {
            disconnect();
        }
    }

    @Override
    public void listenAgain(String lock) {
        if (System.nanoTime() - liveSince > SETTLED.toNanos()) {
            replaceSocket();
        }
    }

    /** Another server answers from now on: takes another socket in any case. */
    void leaveServer() {
        left = true;
        disconnect();
    }

    public void close() {
        closed = true;
        try {
            disconnect();
        } finally {
            LockSupport.unpark(thread);
        }
    }

    private void disconnect() {
        PollableConnection socket = connection;
        if (socket != null) {
            socket.cut();
        }
    }
}
