package io.hasp.engine.driver;

import io.hasp.engine.OneLockBackend;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.machine.NameAndCapacity;
import io.hasp.engine.machine.Notice;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two threads at one driver, with one call each: every event is applied, and its effects are started once and in order. As small
 * as they can be, so that all places where two threads may switch are tried together.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
public class DriverEffectsRaceTest {
    @Test
    void effects_of_two_events_are_started_once_and_in_order() throws Exception {
        Races.run(300, () -> new TwoTry());
    }

    @Test
    void starter_that_waits_within_an_effect_starts_the_rest() throws Exception {
        Races.run(300, () -> new StarterHelps());
    }

    /** Not by Lincheck: what breaks is logged, and it would take the logger's own locks and clocks for the engine's. */
    @Test
    void loss_is_told_once_when_the_client_fails_within_an_effect() throws Exception {
        Races.onRealThreads(() -> new FailsWithinAnEffect());
    }

    @Test
    void observer_that_comes_at_the_end_is_told_once() throws Exception {
        Races.run(300, () -> new ObservedAtTheEnd());
    }

    @Test
    void who_waits_for_the_end_of_a_lease_hears_of_it() throws Exception {
        Races.run(1_000, () -> new AwaitedAtTheEnd());
    }

    /** A driver whose lock is held: each further attempt fails at once, and is reported with the moment of its event. */
    private abstract static class OfHeldLock extends Race {
        private static final Duration WAIT = Duration.ofSeconds(10);

        final SharedServices services;
        final LockDriver driver;
        final Contender first;
        final Contender second;
        final HeldLease held;
        private final List<Long> reported = new ArrayList<>();

        OfHeldLock() {
            EngineSettings settings =
                    new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT.toNanos(), 0, WAIT.toNanos(), false, false);
            EngineThreads threads = new EngineThreads("c", Optional.of(new Counting()), Optional.of(Runnable::run));
            services = new SharedServices(new OneLockBackend(true), null, threads, this::reported);
            AtomicLong holders = new AtomicLong();
            LockMachine machine = new LockMachine(
                    NameAndCapacity.exclusive(new LockName("n")),
                    settings,
                    () -> new HolderId("c-" + holders.incrementAndGet()),
                    row -> {});
            driver = new LockDriver(
                    machine, services, new RenewalTimer(services, settings.renewedLease(), () -> {}), idle -> {});
            LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            driver.join(machine.contender(terms, RequestExecutor.Request::run, WAIT.toNanos(), 0));
            held = Objects.requireNonNull(machine.holder());
            first = machine.contender(terms, RequestExecutor.Request::run, 0, 0);
            second = machine.contender(terms, RequestExecutor.Request::run, 0, 0);
        }

        private void reported(Notice notice) {
            if (notice instanceof Notice.Contended contended) {
                synchronized (this) {
                    reported.add(contended.waited());
                }
                onReport();
            }
        }

        /** Within an effect. */
        void onReport() {}

        void checkReports(int expected) {
            requireEqual(reported.size(), expected, "reports");
            for (int i = 1; i < expected; i++) {
                require(reported.get(i - 1) < reported.get(i), "out of order: " + reported);
            }
        }

        static void checkContended(Contender contender) {
            requireEqual(contender.result.getNow(Outcome.CLOSED), Outcome.CONTENDED, "outcome");
        }
    }

    /** A clock on which no two events have the same moment. */
    private static final class Counting implements Timing {
        private final AtomicLong now = new AtomicLong();

        @Override
        public long nanoTime() {
            return now.incrementAndGet();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    }

    private static final class TwoTry extends OfHeldLock {
        TwoTry() {
            add(() -> driver.join(first));
            add(() -> driver.join(second));
        }

        @Override
        public void check() {
            checkReports(2);
            checkContended(first);
            checkContended(second);
        }
    }

    /** As a blocking call does, in a task that an executor of the user's runs on the spot. */
    private static final class StarterHelps extends OfHeldLock {
        private final AtomicLong leftOver = new AtomicLong();

        StarterHelps() {
            add(() -> driver.join(first));
            add(() -> driver.join(second));
        }

        @Override
        void onReport() {
            driver.help(new CompletableFuture<>());
            if (!first.result.isDone() && !second.result.isDone()) {
                leftOver.incrementAndGet();
            }
        }

        @Override
        public void check() {
            requireEqual(leftOver.get(), 0L, "times that it came back with effects that are not started");
            checkReports(2);
            checkContended(first);
            checkContended(second);
        }
    }

    /** One thread breaks in an effect of its event, and the other one comes with an event of its own. */
    private static final class FailsWithinAnEffect extends OfHeldLock {
        private final AtomicLong lost = new AtomicLong();

        FailsWithinAnEffect() {
            driver.whenEnded(held, lost::incrementAndGet);
            services.failStop.endBy(() -> driver.end("of the test"));
            add(() -> driver.join(first));
            add(() -> driver.join(second));
        }

        @Override
        void onReport() {
            throw new AssertionError("of the test");
        }

        @Override
        public void check() {
            requireEqual(held.life().state(), LeaseLife.State.LOST, "state");
            requireEqual(lost.get(), 1L, "times its end was told");
            require(services.failStop.failed(), "the client goes on");
        }
    }

    private static final class ObservedAtTheEnd extends OfHeldLock {
        private final List<LeaseLife.State> notified = new ArrayList<>();
        private final AtomicLong ended = new AtomicLong();

        ObservedAtTheEnd() {
            add(() -> {
                driver.observe(held, this::notified);
                driver.whenEnded(held, ended::incrementAndGet);
            });
            add(() -> driver.apply(new Event.GivenBack(held, new ReleaseCall(RequestExecutor.Request::run))));
        }

        private synchronized void notified(LeaseLife.State state) {
            notified.add(state);
        }

        @Override
        public void check() {
            requireEqual(notified, List.of(LeaseLife.State.RELEASED), "told");
            requireEqual(ended.get(), 1L, "times its end was told");
        }
    }

    private static final class AwaitedAtTheEnd extends OfHeldLock {
        private final AtomicLong ended = new AtomicLong();

        AwaitedAtTheEnd() {
            add(() -> driver.whenEnded(held, ended::incrementAndGet));
            add(() -> driver.apply(new Event.GivenBack(held, new ReleaseCall(RequestExecutor.Request::run))));
        }

        @Override
        public void check() {
            requireEqual(ended.get(), 1L, "times its end was told");
        }
    }
}
