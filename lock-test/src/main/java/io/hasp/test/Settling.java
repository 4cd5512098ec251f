package io.hasp.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what other threads are about to do. */
final class Settling {
    private static final long LONGEST = Duration.ofSeconds(1).toNanos();
    private static final long PAUSE = Duration.ofMillis(1).toNanos();

    private Settling() {}

    /** Looks again and again, for a second at most, and returns what is left. */
    static <T> List<T> untilEmpty(Supplier<List<T>> look) {
        long begun = System.nanoTime();
        List<T> left = look.get();
        while (!left.isEmpty() && System.nanoTime() - begun < LONGEST) {
            LockSupport.parkNanos(PAUSE);
            left = look.get();
        }
        return left;
    }
}
