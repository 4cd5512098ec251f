package io.hasp.zookeeper.session;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a connection on which the nodes of holders and waiters get no confirmation, so that the session moves to another connection before
 * a lease reaches its deadline. ZooKeeper's client does so after two thirds of the session timeout without an answer, and leases are over
 * by then: a confirmation is good for half of the timeout or more.
 *
 * <p>More than five eighths of the timeout are left when the last beat is answered, and the next beat comes a quarter later, so about a
 * third is left when a request is sent that gets no answer. A reconnection takes up to two seconds on a busy machine,
 * of which ZooKeeper's client sleeps for up to one. The detector waits for as long as that leaves, because a busy server answers late: an
 * eighth of the timeout at least, and a fifth at most. It detects nothing in sessions below six seconds. A reconnection would take too
 * long there, and lose the leases of a server that is late for a moment. Once it has left a connection, it waits for an answer before it
 * leaves another one: a new connection does not help against an ensemble that stands still. Thread-safe.
 */
public final class SilenceDetector {
    private static final Duration RECONNECTION = Duration.ofSeconds(2);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(6);

    private final Timing timing;
    private final Runnable leave;
    private volatile @Nullable Long answeredAt;
    private volatile boolean left;

    /**
     * Detects nothing yet.
     *
     * @param leave ends the connection, if there is one
     */
    SilenceDetector(Timing timing, Runnable leave) {
        this.timing = timing;
        this.leave = leave;
    }

    /** The wait for an answer in a session with this timeout; empty below six seconds, which leave no time for a reconnection. */
    public static Optional<Duration> patience(Duration timeout) {
        if (timeout.compareTo(SHORTEST_TIMEOUT) < 0) {
            return Optional.empty();
        }
        Duration shortest = timeout.dividedBy(8);
        Duration longest = timeout.dividedBy(5);
        Duration patience = timeout.dividedBy(3).minus(RECONNECTION);
        return Optional.of(
                patience.compareTo(shortest) < 0 ? shortest : patience.compareTo(longest) > 0 ? longest : patience);
    }

    /** A server has answered any request by this moment. */
    void answered(long now) {
        answeredAt = now;
        left = false;
    }

    /**
     * Watches requests that have just been sent. While any answer arrives, the connection works.
     *
     * @param timeout the session's
     * @param over completes with the last answer, or when the connection has ended
     */
    void watch(Duration timeout, CompletionStage<?> over) {
        patience(timeout).ifPresent(patience -> {
            Watch watch = new Watch(patience.toNanos());
            over.whenComplete((any, failure) -> watch.end());
            watch.schedule(patience.toNanos());
        });
    }

    private final class Watch {
        private final long patience;
        private final long sentAt = timing.nanoTime();
        private boolean over;
        private Timing.@Nullable Timer timer;

        Watch(long patience) {
            this.patience = patience;
        }

        synchronized void schedule(long nanos) {
            if (!over) {
                timer = timing.schedule(Duration.ofNanos(nanos), this::look);
            }
        }

        synchronized void end() {
            over = true;
            if (timer != null) {
                timer.cancel();
            }
        }

        private void look() {
            long now = timing.nanoTime();
            Long answered = answeredAt;
            long quiet = answered == null ? now - sentAt : Math.min(now - sentAt, now - answered);
            if (quiet < patience) {
                schedule(patience - quiet);
            } else if (!left) {
                left = true;
                leave.run();
            }
        }
    }
}
