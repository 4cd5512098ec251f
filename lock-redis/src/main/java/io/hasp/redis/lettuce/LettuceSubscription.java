package io.hasp.redis.lettuce;

import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Listens to a channel on a connection of its own, and takes another one, after growing delays, when that ends. After any error,
 * one of a listener included, it takes another one as well, and says that messages may be missing. Never blocks.
 *
 * <p>A connection that is dead without having ended is silent. So the server is asked to confirm it again every few seconds.
 *
 * <p>An error may also take the next attempt away, or the thread on which it waits for its time. So there is a time by which it must
 * have come to something. Whoever asks after that time whether the subscription is live, begins another one.
 */
final class LettuceSubscription implements RedisConnection.Subscription {
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final LettuceClient client;
    private final Supplier<CompletableFuture<StatefulRedisPubSubConnection<String, String>>> connector;
    private final String channel;
    private final ChannelListener listener;
    private final CompletableFuture<Void> confirmed = new CompletableFuture<>();
    /** The one that is listened to; guarded by this, as are the three below. */
    private @Nullable Session current;

    private Duration delay = FIRST_DELAY;
    private boolean closed;
    /** How often the server was left: a connection that was begun before is of no use. */
    private int left;

    private volatile boolean live;
    private volatile long liveSince;
    /** When the attempt under way must have come to something. */
    private volatile long due = System.nanoTime();

    /** On connections that are made as is said; the client is for its threads. */
    LettuceSubscription(
            LettuceClient client,
            Supplier<CompletableFuture<StatefulRedisPubSubConnection<String, String>>> connector,
            String channel,
            ChannelListener listener) {
        this.client = client;
        this.connector = connector;
        this.channel = channel;
        this.listener = listener;
    }

    /** Completes when the server has confirmed; fails if it refuses, or can't be reached. */
    CompletableFuture<Void> start() {
        begin();
        return confirmed;
    }

    /** The first connection as well is made when it can be, and the listener hears of it. */
    void startLater() {
        confirmed.complete(null);
        begin();
    }

    @Override
    public boolean live() {
        if (!live && overdue() && startsAgain()) {
            begin();
        }
        return live;
    }

    private boolean overdue() {
        return System.nanoTime() - due >= 0;
    }

    private synchronized boolean startsAgain() {
        boolean starts = !live && !closed && overdue();
        if (starts) {
            dueAfter(SLACK);
        }
        return starts;
    }

    private void dueAfter(Duration longest) {
        due = System.nanoTime() + longest.toNanos();
    }

    private void begin() {
        if (!isClosed()) {
            int before = left();
            dueAfter(client.longestConnect().plus(client.commandTimeout()).plus(SLACK));
            orStop(() -> connector
                    .get()
                    .whenComplete((connection, failure) -> orStop(() -> {
                        if (connection == null) {
                            retry(failure);
                        } else {
                            new Session(connection, before).begin();
                        }
                    })));
        }
    }

    private void beginAfter(Duration pause) {
        dueAfter(pause.plus(SLACK));
        orStop(() -> client.later(pause, this::begin));
    }

    private void orStop(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            dueAfter(Duration.ZERO);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized int left() {
        return left;
    }

    /** The first failure is told to who started it; after that it goes on until it is closed. */
    private void retry(Throwable failure) {
        if (confirmed.completeExceptionally(failure)) {
            close();
            return;
        }
        Duration pause;
        synchronized (this) {
            pause = delay;
            Duration longer = delay.multipliedBy(2);
            delay = longer.compareTo(LONGEST_DELAY) < 0 ? longer : LONGEST_DELAY;
        }
        beginAfter(pause);
    }

    /** The connection may be dead without having been closed, or lead to another server than the address by now. */
    void replaceConnection() {
        Session session;
        synchronized (this) {
            session = current;
        }
        if (session != null) {
            session.end();
        }
    }

    @Override
    public void listenAgain(String lock) {
        if (System.nanoTime() - liveSince > SETTLED.toNanos()) {
            replaceConnection();
        }
    }

    /** Another server answers from now on: takes another connection in any case. */
    void leaveServer() {
        synchronized (this) {
            left++;
        }
        replaceConnection();
    }

    /** The client ends the connection. */
    synchronized void close() {
        closed = true;
        live = false;
        current = null;
    }

    /** One connection; it is current from the server's confirmation to its end. */
    private final class Session extends RedisPubSubAdapter<String, String> implements RedisConnectionStateListener {
        private final StatefulRedisPubSubConnection<String, String> connection;
        private final int before;

        Session(StatefulRedisPubSubConnection<String, String> connection, int before) {
            this.connection = connection;
            this.before = before;
        }

        void begin() {
            boolean asked = false;
            try {
                connection.addListener((RedisConnectionStateListener) this);
                connection.addListener((RedisPubSubListener<String, String>) this);
                subscribe()
                        .whenComplete((subscribed, failure) -> orStop(() -> {
                            if (failure == null) {
                                confirmed();
                            } else {
                                closeThen(() -> retry(failure));
                            }
                        }));
                asked = true;
            } finally {
                if (!asked) {
                    connection.closeAsync();
                }
            }
        }

        private CompletableFuture<Void> subscribe() {
            return connection
                    .async()
                    .subscribe(channel)
                    .toCompletableFuture()
                    .copy()
                    .orTimeout(client.commandTimeout().toMillis(), TimeUnit.MILLISECONDS);
        }

        private void confirmLater() {
            client.later(CONFIRMED_EVERY, () -> contained(this::confirmAgain));
        }

        private void confirmAgain() {
            if (isCurrent()) {
                subscribe().whenComplete((subscribed, failure) -> {
                    if (failure == null) {
                        contained(this::confirmLater);
                    } else {
                        end();
                    }
                });
            }
        }

        private boolean isCurrent() {
            synchronized (LettuceSubscription.this) {
                return current == this;
            }
        }

        private void closeThen(Runnable next) {
            try {
                connection.closeAsync();
            } finally {
                next.run();
            }
        }

        private void confirmed() {
            boolean first;
            boolean outdated;
            synchronized (LettuceSubscription.this) {
                outdated = left != before;
                first = !closed && current == null && !outdated;
                if (first) {
                    current = this;
                    live = true;
                    liveSince = System.nanoTime();
                    delay = FIRST_DELAY;
                }
            }
            if (!first) {
                closeThen(() -> {
                    if (outdated) {
                        beginAfter(FIRST_DELAY);
                    }
                });
                return;
            }
            if (!confirmed.complete(null)) {
                contained(listener.onReturn());
            }
            contained(this::confirmLater);
            if (!connection.isOpen()) {
                end(); // Before it was current.
            }
        }

        @Override
        public void message(String from, String message) {
            contained(() -> listener.onMessage().accept(message));
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> ended) {
            end();
        }

        /** Who registered before looking at {@link #live} hears of whatever cuts the channel off afterwards. */
        void end() {
            synchronized (LettuceSubscription.this) {
                if (current != this) {
                    return;
                }
                current = null;
                live = false;
                dueAfter(SLACK);
            }
            closeThen(() -> {
                try {
                    listener.onInterruption().run();
                } finally {
                    beginAfter(FIRST_DELAY);
                }
            });
        }

        /** What a listener could not take, is missing. */
        private void contained(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                end();
            }
        }
    }
}
