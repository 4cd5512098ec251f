package io.hasp;

import io.hasp.spi.Timing;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a timed wait ends with. An attempt that was sent is awaited, like that of a call without a wait, so a longer wait is
 * never worse than none: its answer decides, and comes within the backend's command timeout. If no attempt is under way the
 * latest answer decides. Empty needs a refusal; a contender behind others of this client goes by what those learn.
 *
 * <p>A refusal of long ago says nothing of a server that went silent since. So the server is asked once more in good time
 * before the end, early enough that a pause of this process is not mistaken for an outage.
 */
final class EndOfWait {
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

    /** Starts the timer. Without effect if the wait has ended already: a free lock costs no timer. */
    void start() {
        long before = Math.min(wait / 2, LONGEST_BEFORE_END);
        if (before >= SHORTEST_BEFORE_END) {
            at(at - before, this::lastLook);
        } else {
            at(at, this::expire);
        }
    }

    private void lastLook() {
        at(at, this::expire);
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

    private void expire() {
        if (!decided()) {
            queue.overdue();
            // News between the two looks was not told to a contender that was not overdue yet.
            decided();
        }
    }

    /** The wait is over: ends it if that can be decided now. To be called again when there is news. */
    boolean decided() {
        boolean begun = contender.attempts.begun();
        Evidence evidence = begun ? contender.attempts.evidence() : queue.evidence();
        if (evidence instanceof Evidence.Failed failed) {
            contender.fail(failed.failure());
        } else if (evidence instanceof Evidence.Busy || (!begun && queue.heldSince(at))) {
            contender.giveUp();
        } else {
            return false;
        }
        return true;
    }
}
