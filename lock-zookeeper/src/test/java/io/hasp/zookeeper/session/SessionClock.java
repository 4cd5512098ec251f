package io.hasp.zookeeper.session;

import io.hasp.spi.Timing;
import java.time.Duration;

/** The clock of this machine, for a session without a backend. Tasks never run. */
public final class SessionClock implements Timing {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return () -> {};
    }
}
