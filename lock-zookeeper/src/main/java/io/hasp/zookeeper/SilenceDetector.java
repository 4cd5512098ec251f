package io.hasp.zookeeper;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Leaves a connection on which the nodes of holders and waiters can't be confirmed, so that the session moves to another connection
 * before a lease reaches its deadline. ZooKeeper's client does so after two thirds of the session timeout without an answer, and leases are
 * over by then: a confirmation is good for half of the timeout or more, and is repeated after a third of that.
 *
 * <p>A third of the timeout is left when a request is sent that gets no answer. A reconnection takes little more than a second: ZooKeeper's
 * client sleeps for up to a second before it connects. The detector waits for as long as that leaves, because a busy server answers late, but
 * not for more than a quarter of the timeout. If that leaves less than an eighth, it detects nothing: a lease whose server is late for
 * a moment would be LOST by the reconnection. Once it has left a connection, it waits for an answer before it leaves another one: a new connection
 * does not help against an ensemble that stands still. Thread-safe.
 */
final class SilenceDetector {
    private static final Duration RECONNECTION = Duration.ofMillis(1_250);

    private final Timing timing;
    private final Runnable leave;
    private boolean left;

    /**
     * Detects nothing yet.
     *
     * @param leave ends the connection, if there is one
     */
    SilenceDetector(Timing timing, Runnable leave) {
        this.timing = timing;
        this.leave = leave;
    }

    /** How long to wait for an answer in a session with this timeout; empty for less than six seconds, which leave no time. */
    static Optional<Duration> patience(Duration timeout) {
        Duration longest = timeout.dividedBy(4);
        Duration left = timeout.dividedBy(3).minus(RECONNECTION);
        Duration patience = left.compareTo(longest) > 0 ? longest : left;
        return patience.compareTo(timeout.dividedBy(8)) < 0 ? Optional.empty() : Optional.of(patience);
    }

    /**
     * Watches a request that has just been sent.
     *
     * @param timeout the session's
     * @param answered completes with true when a server has answered, with false when the connection ended before
     */
    void watch(Duration timeout, CompletionStage<Boolean> answered) {
        patience(timeout).ifPresent(patience -> {
            Timing.Timer silence = timing.schedule(patience, this::silent);
            answered.thenAccept(yes -> {
                silence.cancel();
                if (yes) {
                    answered();
                }
            });
        });
    }

    private synchronized void answered() {
        left = false;
    }

    private void silent() {
        synchronized (this) {
            if (left) {
                return;
            }
            left = true;
        }
        leave.run();
    }
}
