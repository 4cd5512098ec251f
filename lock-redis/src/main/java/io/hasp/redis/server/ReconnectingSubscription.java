package io.hasp.redis.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Listens to a channel on a connection of its own, and takes another one, after growing delays, when that ends. After any error, also in a
 * listener, it takes another connection as well, and reports that messages may be missing. Thread-safe; only {@link #start} waits.
 *
 * <p>A connection that is dead without having ended is silent. So the server has to confirm it again every few seconds.
 *
 * <p>An error may also take the next attempt away, or the thread on which it waits for its time. So an attempt has a time by which it must
 * have ended. A call of {@link #live} after that time begins another attempt.
 */
public final class ReconnectingSubscription implements RedisConnection.Subscription {
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final ChannelConnector connector;
    private final Duration timeout;
    private final ChannelListener listener;
    private final CompletableFuture<Void> confirmed = new CompletableFuture<>();
    /** The latest, which may not be confirmed yet; guarded by this, as are the four below. */
    private @Nullable Session latest;

    private @Nullable Session current;
    private Duration delay = FIRST_DELAY;
    private boolean closed;
    /** Counts departures from a server: a connection that was begun before is of no use. */
    private int left;

    private volatile boolean live;
    private volatile long liveSince;
    /** The moment by which the present attempt must have ended. */
    private volatile long due = System.nanoTime();

    /**
     * Creates a subscription without connecting it.
     *
     * @param timeout of each answer of the server
     */
    public ReconnectingSubscription(ChannelConnector connector, Duration timeout, ChannelListener listener) {
        this.connector = connector;
        this.timeout = timeout;
        this.listener = listener;
    }

    /** Returns when the server has confirmed, and throws if it refuses, can't be reached, or does not confirm in time. */
    public void start(Duration within) {
        boolean started = false;
        try {
            begin();
            confirmed.copy().orTimeout(within.toMillis(), TimeUnit.MILLISECONDS).join();
            started = true;
        } catch (CompletionException e) {
            throw connector.failure(e);
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** Returns at once. The first confirmation calls {@code onReturn}. */
    public void startLater() {
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
        dueAfter(connector.longestConnect().plus(timeout).plus(SLACK));
        orStop(() -> connecting()
                .whenComplete((connection, failure) -> orStop(() -> {
                    if (connection == null) {
                        retry(failure);
                    } else {
                        new Session(connection, before).begin();
                    }
                })));
    }

    private CompletableFuture<? extends ChannelConnector.Connection> connecting() {
        try {
            return connector.connect();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void beginAfter(Duration pause) {
        dueAfter(pause.plus(SLACK));
        orStop(() -> connector.later(pause, this::begin));
    }

    private void orStop(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            dueAfter(Duration.ZERO);
        }
    }

    /** The first failure is that of {@link #start}; after that it goes on until it is closed. */
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

    /**
     * Takes another connection: the present one may be dead without having been closed, or lead to another server than the address by now.
     */
    public void replaceConnection() {
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

    /** Takes another connection in any case, because another server answers from now on. */
    public void leaveServer() {
        synchronized (this) {
            left++;
        }
        replaceConnection();
    }

    /** Ends the connection, also one that is not confirmed yet. */
    public void close() {
        Session confirmed;
        Session last;
        synchronized (this) {
            closed = true;
            live = false;
            confirmed = current;
            last = latest;
            current = null;
        }
        try {
            close(confirmed);
        } finally {
            close(last);
        }
    }

    private static void close(@Nullable Session session) {
        if (session != null) {
            session.closeConnection();
        }
    }

    /** One connection; it is current from the server's confirmation to its end. */
    private final class Session {
        private final AtomicBoolean connectionClosed = new AtomicBoolean();
        private final ChannelConnector.Connection connection;
        private final int before;

        Session(ChannelConnector.Connection connection, int before) {
            this.connection = connection;
            this.before = before;
        }

        void begin() {
            boolean requested = false;
            try {
                connection.listen(
                        message -> contained(() -> listener.onMessage().accept(message)), this::end);
                if (isLatest()) {
                    subscribe()
                            .whenComplete((done, failure) -> orStop(() -> {
                                if (failure == null) {
                                    confirmed();
                                } else {
                                    closeThen(() -> retry(failure));
                                }
                            }));
                    requested = true;
                }
            } finally {
                if (!requested) {
                    closeConnection();
                }
            }
        }

        /** From now on, closing the subscription closes this connection. */
        private boolean isLatest() {
            synchronized (ReconnectingSubscription.this) {
                latest = this;
                return !closed;
            }
        }

        private CompletableFuture<Void> subscribe() {
            return connection.subscribe().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** Once: a client library warns of a second time. */
        private void closeConnection() {
            if (connectionClosed.compareAndSet(false, true)) {
                connection.close();
            }
        }

        private void closeThen(Runnable next) {
            try {
                closeConnection();
            } finally {
                next.run();
            }
        }

        private void confirmed() {
            boolean first;
            boolean outdated;
            synchronized (ReconnectingSubscription.this) {
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
            connector.later(CONFIRMED_EVERY, () -> contained(this::confirmAgain));
        }

        private void confirmAgain() {
            synchronized (ReconnectingSubscription.this) {
                if (current != this) {
                    return;
                }
            }
            subscribe().whenComplete((done, failure) -> {
                if (failure == null) {
                    contained(this::confirmLater);
                } else {
                    end();
                }
            });
        }

        /** Clears {@link #live} before it notifies: a listener that was registered before misses no end. */
        void end() {
            synchronized (ReconnectingSubscription.this) {
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

        /** A message that a listener could not take is missing. */
        private void contained(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                end();
            }
        }
    }
}
