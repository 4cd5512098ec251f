package io.hasp.redis.redisson;

import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.DelayedTasks;
import io.hasp.redis.server.RedisConnection;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.client.ChannelName;
import org.redisson.client.RedisPubSubConnection;
import org.redisson.client.RedisPubSubListener;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.pubsub.PubSubType;

/**
 * Listens to a channel on a connection of its own, and takes another one, after growing delays, when that ends. After any error, one of a
 * listener included, it takes another one as well, and says that messages may be missing. Never blocks.
 *
 * <p>A connection that is dead without having ended is silent. So the server is asked to confirm the subscription every few seconds.
 *
 * <p>An error of the JVM may also take the next attempt away. So there is a time by which it must have come to something. Whoever asks
 * after that time whether the subscription is live, begins another one.
 */
final class RedissonSubscription implements RedisConnection.Subscription {
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final Supplier<CompletableFuture<RedisPubSubConnection>> connector;
    private final Duration timeout;
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

    /**
     * Not connected yet.
     *
     * @param connector its stages complete within the timeout
     */
    RedissonSubscription(
            Supplier<CompletableFuture<RedisPubSubConnection>> connector,
            Duration timeout,
            String channel,
            ChannelListener listener) {
        this.connector = connector;
        this.timeout = timeout;
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
        int before;
        synchronized (this) {
            if (closed) {
                return;
            }
            before = left;
        }
        dueAfter(timeout.multipliedBy(2).plus(SLACK));
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

    private void beginAfter(Duration pause) {
        dueAfter(pause.plus(SLACK));
        orStop(() -> DelayedTasks.after(pause).execute(this::begin));
    }

    private void orStop(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            dueAfter(Duration.ZERO);
        }
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

    /** The connection may be dead without having been closed. */
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

    /** Also ends the connection. */
    void close() {
        Session session;
        synchronized (this) {
            closed = true;
            live = false;
            session = current;
            current = null;
        }
        if (session != null) {
            session.connection.closeAsync();
        }
    }

    /** One connection; it is current from the server's confirmation to its end. */
    private final class Session implements RedisPubSubListener<Object> {
        private final RedisPubSubConnection connection;
        private final int before;
        private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
        private volatile CompletableFuture<Void> confirmedAgain = subscribed;

        Session(RedisPubSubConnection connection, int before) {
            this.connection = connection;
            this.before = before;
        }

        void begin() {
            boolean asked = false;
            try {
                connection.getChannel().closeFuture().addListener(over -> {
                    // Or Redisson would take another socket.
                    connection.closeAsync();
                    subscribed.completeExceptionally(new SocketException("the connection was closed"));
                    end();
                });
                ChannelName name = new ChannelName(channel);
                connection.addListener(name, this);
                subscribed
                        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete((done, failure) -> orStop(() -> {
                            if (failure == null) {
                                confirmed();
                            } else {
                                closeThen(() -> retry(failure));
                            }
                        }));
                CompletableFuture<Void> refused = new CompletableFuture<>();
                refused.whenComplete((done, failure) -> {
                    if (failure != null) {
                        subscribed.completeExceptionally(failure);
                    }
                });
                connection.subscribe(refused, StringCodec.INSTANCE, name);
                asked = true;
            } finally {
                if (!asked) {
                    connection.closeAsync();
                }
            }
        }

        private void closeThen(Runnable next) {
            try {
                connection.closeAsync();
            } finally {
                next.run();
            }
        }

        @Override
        public void onStatus(PubSubType type, CharSequence name) {
            if (type == PubSubType.SUBSCRIBE) {
                subscribed.complete(null);
                confirmedAgain.complete(null);
            }
        }

        private void confirmed() {
            boolean first;
            boolean outdated;
            synchronized (RedissonSubscription.this) {
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

        private void confirmLater() {
            DelayedTasks.after(CONFIRMED_EVERY).execute(() -> contained(this::confirmAgain));
        }

        private void confirmAgain() {
            synchronized (RedissonSubscription.this) {
                if (current != this) {
                    return;
                }
            }
            CompletableFuture<Void> again = new CompletableFuture<>();
            confirmedAgain = again;
            again.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).whenComplete((done, failure) -> {
                if (failure == null) {
                    contained(this::confirmLater);
                } else {
                    end();
                }
            });
            connection.subscribe(new CompletableFuture<>(), StringCodec.INSTANCE, new ChannelName(channel));
        }

        @Override
        public void onMessage(CharSequence from, Object message) {
            contained(() -> listener.onMessage().accept(String.valueOf(message)));
        }

        /** Who registered before looking at {@link #live} hears of whatever cuts the channel off afterwards. */
        void end() {
            synchronized (RedissonSubscription.this) {
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
