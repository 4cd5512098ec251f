package io.hasp;

import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock and scheduler that the program gave, as the engine and the backend see it. The clock never goes backwards: where the given one
 * does, time goes on from the latest moment, and while it throws, the system's clock counts. Thread-safe.
 */
final class GivenTiming implements Timing {
    private final ClientTiming given;
    private final Forwards monotonic;
    private final Forwards wallClock;

    GivenTiming(ClientTiming given) {
        this.given = given;
        this.monotonic = new Forwards(given::nanoTime);
        this.wallClock = new Forwards(given::wallClockNanos);
    }

    /** One clock. */
    private static final class Forwards {
        private final LongSupplier clock;
        /** What is added to the given clock. */
        private long offset;

        private long latest;
        private long latestOfSystem;
        private boolean begun;
        private boolean logged;

        Forwards(LongSupplier clock) {
            this.clock = clock;
        }

        /** One reader at a time: otherwise an earlier one could come later. */
        synchronized long now() {
            long now = read();
            if (begun && now - latest < 0) {
                complain("went backwards by " + Duration.ofNanos(latest - now), null);
                offset += latest - now;
                now = latest;
            }
            begun = true;
            latest = now;
            latestOfSystem = System.nanoTime();
            return now;
        }

        private long read() {
            try {
                return clock.getAsLong() + offset;
            } catch (RuntimeException | Error broken) {
                if (!begun) {
                    throw broken;
                }
                complain("failed, and the system's clock counts", broken);
                return latest + (System.nanoTime() - latestOfSystem);
            }
        }

        private void complain(String how, @Nullable Throwable thrown) {
            if (!logged) {
                logged = true;
                LogQueue.log(Level.WARNING, "the given clock " + how + " (logged once)", thrown);
            }
        }
    }

    @Override
    public long nanoTime() {
        return monotonic.now();
    }

    @Override
    public long wallClockNanos() {
        return wallClock.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return given.schedule(delay, task)::cancel;
    }
}
