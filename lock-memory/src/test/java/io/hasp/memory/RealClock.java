package io.hasp.memory;

import io.hasp.spi.Timing;
import java.time.Duration;

/** The machine's clock, for a server in real time, which schedules nothing. */
final class RealClock implements Timing {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        throw new UnsupportedOperationException();
    }
}
