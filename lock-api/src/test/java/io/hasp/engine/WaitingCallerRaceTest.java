package io.hasp.engine;

import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.driver.RenewalTimer;
import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.driver.UnansweredCalls;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.machine.NameAndCapacity;
import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Other threads hand requests to a caller that waits, and to one that leaves. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
public class WaitingCallerRaceTest {
    @Test
    void caller_sleeps_through_no_turn() throws Exception {
        Races.run(200, () -> new Awaited());
    }

    @Test
    void each_turn_is_run_or_dropped_when_the_caller_leaves() throws Exception {
        Races.run(200, () -> new Left());
    }

    @Test
    void turn_that_comes_while_the_caller_leaves_is_dropped() throws Exception {
        Races.run(1_000, () -> new Leaving());
    }

    /** As small as it can be. */
    private static final class Leaving extends Race {
        private final WaitingCaller executor = new WaitingCaller();
        private final AtomicInteger run = new AtomicInteger();
        private final AtomicInteger dropped = new AtomicInteger();

        Leaving() {
            onCaller(() -> executor.leave());
            add(() -> executor.execute(new CountedRequest(run, dropped, () -> {})));
        }

        @Override
        public void check() {
            requireEqual(run.get(), 0, "times it was run");
            requireEqual(dropped.get(), 1, "times it was dropped");
        }
    }

    private abstract static class OfOneCaller extends Race {
        final WaitingCaller executor = new WaitingCaller();
        final CompletableFuture<String> result = new CompletableFuture<>();
        private final UnansweredCalls calls = new UnansweredCalls();
        private final LockDriver driver;

        OfOneCaller() {
            onCaller(this::makeRequests);
            EngineSettings settings = new EngineSettings(1, 1, 0, 0, false, false);
            EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(Runnable::run));
            SharedServices services = new SharedServices(new OneLockBackend(true), null, threads, notice -> {});
            driver = new LockDriver(
                    new LockMachine(
                            NameAndCapacity.exclusive(new LockName("n")),
                            settings,
                            () -> new HolderId("c"),
                            transition -> {}),
                    services,
                    new RenewalTimer(services, 1, () -> {}),
                    idle -> {});
        }

        /** Interruptible, so that a test that hangs comes to its end. */
        private void makeRequests() throws Exception {
            executor.runUntil(result, true, driver, calls, null);
            executor.leave();
        }
    }

    /** The result is there as soon as both requests have run. */
    private static final class Awaited extends OfOneCaller {
        private final AtomicInteger run = new AtomicInteger();
        private final AtomicInteger dropped = new AtomicInteger();

        Awaited() {
            add(() -> executor.execute(new CountedRequest(run, dropped, this::ran)));
            add(() -> executor.execute(new CountedRequest(run, dropped, this::ran)));
        }

        private void ran() {
            if (run.get() == 2) {
                result.complete("done");
            }
        }

        @Override
        public void check() {
            requireEqual(run.get(), 2, "executor run");
            requireEqual(dropped.get(), 0, "executor dropped");
        }
    }

    /** The result comes from elsewhere, before, between or after the requests. */
    private static final class Left extends OfOneCaller {
        private final AtomicInteger firstRun = new AtomicInteger();
        private final AtomicInteger firstDropped = new AtomicInteger();
        private final AtomicInteger otherRun = new AtomicInteger();
        private final AtomicInteger otherDropped = new AtomicInteger();

        Left() {
            add(() -> {
                executor.execute(new CountedRequest(firstRun, firstDropped, () -> {}));
                result.complete("done");
            });
            add(() -> executor.execute(new CountedRequest(otherRun, otherDropped, () -> {})));
        }

        @Override
        public void check() {
            requireEqual(firstRun.get() + firstDropped.get(), 1, "times the first request was run or dropped");
            requireEqual(otherRun.get() + otherDropped.get(), 1, "times the other request was run or dropped");
        }
    }

    private record CountedRequest(AtomicInteger runs, AtomicInteger drops, Runnable then)
            implements RequestExecutor.Request {
        @Override
        public void run() {
            runs.incrementAndGet();
            then.run();
        }

        @Override
        public void drop() {
            drops.incrementAndGet();
        }
    }
}
