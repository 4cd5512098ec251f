package io.hasp;

import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A clock and scheduler that the program gave, as the engine and the backend see it. While the given clock
 * throws, the system's clock counts. Thread-safe.
 */
final class GivenTiming implements Timing {
    private final ClientTiming given;
    private final Contained monotonic;
    private final Contained wallClock;

    GivenTiming(ClientTiming given) {
        this.given = given;
        this.monotonic = new Contained(given::nanoTime);
        this.wallClock = new Contained(given::wallClockNanos);
    }

    /** One clock. */
    private static final class Contained {
        private final LongSupplier clock;
        private long latest;
        private long latestOfSystem;
        private boolean begun;
        private boolean logged;

        Contained(LongSupplier clock) {
            this.clock = clock;
        }

        synchronized long now() {
            long now = read();
            begun = true;
            latest = now;
            latestOfSystem = System.nanoTime();
            return now;
        }

        private long read() {
            try {
                return clock.getAsLong();
            } catch (RuntimeException | Error broken) {
                if (!begun) {
                    throw broken;
                }
                complain(broken);
                return latest + (System.nanoTime() - latestOfSystem);
            }
        }

        private void complain(Throwable thrown) {
            if (!logged) {
                logged = true;
                LogQueue.log(
                        Level.WARNING, "the given clock failed, and the system's clock counts (logged once)", thrown);
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
