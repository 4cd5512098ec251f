package io.hasp.zookeeper;

import io.hasp.spi.Timing;
import java.time.Duration;

/** The clock of this machine, for a session without a backend. */
final class SessionClock implements Timing {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        throw new UnsupportedOperationException("a session schedules nothing");
    }
}
