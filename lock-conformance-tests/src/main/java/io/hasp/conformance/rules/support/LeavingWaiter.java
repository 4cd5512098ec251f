package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.Optional;

/** A waiter that gives up in one of several ways. Each way returns the moment when it gave up. */
public final class LeavingWaiter {
    private final Task<Optional<Hold>> waiting;

    private LeavingWaiter(Task<Optional<Hold>> waiting) {
        this.waiting = waiting;
    }

    /** Behind the one holder of a rule, once those before it have left: their places may be removed in the background. */
    public static LeavingWaiter queued(SharedRun run, LockUser user, LockMode mode) throws Exception {
        return queued(run, user, mode, Timings.longWait());
    }

    public static LeavingWaiter queued(SharedRun run, LockUser user, LockMode mode, Duration patience)
            throws Exception {
        run.awaitPresent(1);
        return new LeavingWaiter(run.queued(run.lock(), () -> user.tryAcquire(run.lock(), mode, patience)));
    }

    public long interrupt() {
        long now = System.nanoTime();
        waiting.thread().interrupt();
        return now;
    }

    public long losePatience() throws Exception {
        assertThat(waiting.get()).as("a waiter that does not fit").isEmpty();
        return System.nanoTime();
    }

    public long close(LockUser user) throws Exception {
        long now = System.nanoTime();
        user.close();
        return now;
    }
}
