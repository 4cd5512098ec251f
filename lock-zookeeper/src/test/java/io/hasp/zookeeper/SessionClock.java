package io.hasp.zookeeper;

import io.hasp.spi.Timing;
import java.time.Duration;

/** The time of this machine, for a session without a backend around it. */
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
