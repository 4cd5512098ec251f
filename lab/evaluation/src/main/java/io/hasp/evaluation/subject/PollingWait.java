package io.hasp.evaluation.subject;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** How the baselines wait: they poll. */
final class PollingWait {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private PollingWait() {}

    /** Whether an attempt succeeded within the wait; there is at least one. */
    static boolean until(Duration wait, Callable<Boolean> attempt) throws Exception {
        long begin = System.nanoTime();
        while (!attempt.call()) {
            if (System.nanoTime() - begin >= wait.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }
}
