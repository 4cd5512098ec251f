package io.hasp.test;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other threads are about to do. */
final class Settling {
    private static final long PAUSE = Duration.ofMillis(1).toNanos();

    private Settling() {}

    /**
     * Waits until a condition holds.
     *
     * @throws AssertionError with the message if it does not hold within that time
     */
    static void await(Duration longest, BooleanSupplier condition, Supplier<String> message) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun >= longest.toNanos()) {
                throw new AssertionError(message.get());
            }
            LockSupport.parkNanos(PAUSE);
        }
    }
}
