package io.hasp;

import io.hasp.engine.LockEngine;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The pauses of one candidate, by the monotonic clock. The jitter keeps candidates apart that failed together. Thread-safe. */
final class CandidatePause {
    private final LockEngine engine;
    private final long least;
    private final long salt;
    private final Runnable over;
    private Timing.@Nullable Timer timer;
    private boolean ended;

    /**
     * Creates it, and pauses at no time yet.
     *
     * @param least the shortest pause; the longest is half as long again
     * @param over runs on the timer's thread at the end of each pause
     */
    CandidatePause(LockEngine engine, Duration least, String label, Runnable over) {
        this.engine = engine;
        this.least = Nanos.of(least);
        this.salt = label.hashCode();
        this.over = over;
    }

    /** False if there are no pauses any more, because the candidate was closed, or because its client has ended. */
    boolean begin() {
        long jitter = new SplittableRandom(engine.now() ^ salt).nextLong(least / 2 + 1);
        Timing.Timer begun;
        try {
            begun = engine.threads().timing.schedule(Duration.ofNanos(least + jitter), over);
        } catch (RejectedExecutionException clientEnded) {
            return false;
        }
        boolean tooLate;
        synchronized (this) {
            timer = begun;
            tooLate = ended;
        }
        if (tooLate) {
            begun.cancel();
        }
        return !tooLate;
    }

    /** Ends the present pause without its end, and all that would follow. */
    synchronized void end() {
        ended = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
