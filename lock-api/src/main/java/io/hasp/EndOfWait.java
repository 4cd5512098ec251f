package io.hasp;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a timed wait ends with. "Busy" must be an answer: if the latest attempt is still unanswered it gets a short grace,
 * and after that the result is a failure with unknown outcome, never an empty one. Where the lock changes hands so quickly
 * that an attempt of this client is always under way, a grant or a refusal within the grace is an answer as well.
 *
 * <p>A refusal of long ago says nothing of a server that went silent since. So whoever waits is asked for once more in good
 * time before the end, early enough that a pause of this process is not mistaken for an outage.
 */
final class EndOfWait {
    /** How much a wait may overrun for an answer that is on its way. */
    private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(40);

    private static final long LONGEST_BEFORE_END = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_BEFORE_END = TimeUnit.MILLISECONDS.toNanos(200);

    private final Engine engine;
    private final LocalQueue queue;
    private final Contender contender;
    private final long wait;
    private final long at;

    private boolean cancelled;
    private Timing.@Nullable Timer timer;

    EndOfWait(Engine engine, LocalQueue queue, Contender contender, long joinedAt, long wait) {
        this.engine = engine;
        this.queue = queue;
        this.contender = contender;
        this.wait = wait;
        this.at = joinedAt + wait;
    }

    /** From now on it is watched. Without effect if it was cancelled before: who had the lock at once needs no timer. */
    void start() {
        long before = Math.min(wait / 2, LONGEST_BEFORE_END);
        if (before >= SHORTEST_BEFORE_END) {
            at(at - before, this::lastLook);
        } else {
            at(at, () -> expire(false));
        }
    }

    private void lastLook() {
        at(at, () -> expire(false));
        queue.lookAgain();
    }

    private synchronized void at(long moment, Runnable task) {
        if (!cancelled) {
            timer = engine.schedule(moment - engine.now(), task);
        }
    }

    synchronized void cancel() {
        cancelled = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void expire(boolean graceIsOver) {
        Evidence evidence = contender.attempts.begun() ? contender.attempts.evidence() : queue.evidence();
        boolean unanswered = evidence instanceof Evidence.Unanswered;
        if (evidence instanceof Evidence.Busy || (unanswered && queue.heldSince(at))) {
            contender.giveUp();
        } else if (unanswered && !graceIsOver) {
            at(engine.now() + GRACE, () -> expire(true));
        } else {
            contender.fail(evidence instanceof Evidence.Failed failed ? failed.failure() : noAnswer());
        }
    }

    private BackendFailure noAnswer() {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.UNKNOWN,
                "no answer within the wait of " + Duration.ofNanos(wait),
                null);
    }
}
