package io.hasp.conformance.rules.support;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Two clients that take turns at a lock so that one of them always has a part of it: each lets go only when the other one got
 * its part, or was refused for a while.
 */
public final class UnbrokenHolders {
    /** The time within which another client must get the whole lock: many turns. */
    public static final Duration PATIENCE = Timings.units(50);

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger turns = new AtomicInteger();
    private final Task<Integer> work;

    private UnbrokenHolders(SharedRun run, LockMode part, List<LockUser> users) {
        work = run.start(() -> takeTurns(run, part, users));
    }

    public static UnbrokenHolders start(SharedRun run, LockMode part) throws Exception {
        return new UnbrokenHolders(run, part, run.users(2));
    }

    private int takeTurns(SharedRun run, LockMode part, List<LockUser> users) throws Exception {
        Optional<Hold> mine = Optional.empty();
        while (!stopped.get()) {
            LockUser next = users.get(turns.incrementAndGet() % 2);
            Optional<Hold> its = next.tryAcquire(run.lock(), part, Timings.units(1));
            if (mine.isPresent()) {
                mine.get().release();
            }
            mine = its;
        }
        if (mine.isPresent()) {
            mine.get().release();
        }
        return turns.get();
    }

    public void awaitTurns(int count) {
        Awaitility.await(count + " turns")
                .pollInterval(Duration.ofMillis(5))
                .atMost(Timings.longWait())
                .until(() -> turns.get() >= count || work.result().isDone());
    }

    public void stop() throws Exception {
        stopped.set(true);
        work.get();
    }
}
