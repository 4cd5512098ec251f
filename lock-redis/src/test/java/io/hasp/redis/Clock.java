package io.hasp.redis;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Time as a test wants it, for a backend, which needs a clock only. */
record Clock(LongSupplier nanos) implements Timing {
    @Override
    public long nanoTime() {
        return nanos.getAsLong();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        throw new UnsupportedOperationException();
    }
}
