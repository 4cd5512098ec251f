package io.hasp;

import io.hasp.spi.Timing;
import java.time.Duration;

/** A clock and scheduler that the program gave, as the engine and the backend see it. */
record GivenTiming(ClientTiming given) implements Timing {
    @Override
    public long nanoTime() {
        return given.nanoTime();
    }

    @Override
    public long wallClockNanos() {
        return given.wallClockNanos();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return given.schedule(delay, task)::cancel;
    }
}
