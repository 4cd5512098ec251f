package io.hasp.zookeeper.operators;

import io.hasp.spi.Timing;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.data.Stat;

/**
 * Estimates the clock of the ensemble's leader, which stamps each node. ZooKeeper has no request for the time, and only a write would get a
 * new stamp. So the estimate is the latest stamp that was read, plus the time since then on the client's monotonic clock. The leader's clock
 * is not behind the estimate, apart from drift. It is ahead by the age that the latest stamp had when it was first read. Thread-safe.
 */
final class ServerClock {
    private final Timing timing;
    private long millisAtOrigin = Long.MIN_VALUE;

    ServerClock(Timing timing) {
        this.timing = timing;
    }

    /** Takes the times of a node that a server has just reported. */
    synchronized void read(Stat stat) {
        long latest = Math.max(stat.getCtime(), stat.getMtime());
        millisAtOrigin = Math.max(millisAtOrigin, latest - millis());
    }

    /** The estimate; only after {@link #read}. */
    synchronized Instant now() {
        return Instant.ofEpochMilli(millisAtOrigin + millis());
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(timing.nanoTime());
    }
}
