package io.hasp.evaluation.subject;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** The baselines' wait: polling. */
final class PollingWait {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private PollingWait() {}

    /** Returns true if an attempt succeeded within the wait; makes at least one attempt. */
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
