package io.hasp.engine.driver;

import io.hasp.engine.HandTiming;
import io.hasp.engine.OneLockBackend;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.LateStores;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases come, are renewed and go while the timer ticks. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
public class RenewalTimerRaceTest {
    /** The class of the timer's alarms, for mutants of it. */
    public static final Class<?> QUEUE = AlarmQueue.class;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void lease_that_comes_during_a_tick_is_looked_at_in_time() throws Exception {
        Races.run(1_000, () -> new SetDuringTick());
    }

    @Test
    void lease_that_is_due_when_it_comes_is_looked_at_in_time() throws Exception {
        Races.run(1_000, () -> new DueDuringTick());
    }

    @Test
    void leases_that_come_at_once_are_looked_at_in_time() throws Exception {
        Races.run(1_000, () -> new TwoSet());
    }

    @Test
    void renewal_that_is_wanted_during_another_is_sent() throws Exception {
        Races.run(1_000, () -> new RenewedAtOnce());
    }

    @Test
    void renewal_that_is_wanted_during_a_tick_is_sent() throws Exception {
        Races.run(200, () -> new RenewedDuringTick());
    }

    @Test
    void alarm_that_comes_nearer_while_its_entry_moves_is_looked_at_in_time() throws Exception {
        Races.run(1_000, () -> new NearerDuringTick());
    }

    /** The scheduler of a program may have several threads. */
    @Test
    void leases_stay_watched_when_two_ticks_overlap() throws Exception {
        Races.onRealThreads(() -> new TwoTicks());
    }

    @Test
    void lease_that_ends_during_a_tick_leaves_no_entry() throws Exception {
        Races.onRealThreads(() -> new EndedDuringTick());
    }

    /** Lincheck's memory is sequentially consistent. */
    @Test
    void end_of_a_tick_is_seen_in_time() throws Exception {
        AtomicInteger round = new AtomicInteger();
        Races.onRealThreads(() -> new RenewedAtTheEndOfATick(round.getAndIncrement() % 32));
    }

    private abstract static class OfOneTimer extends Race {
        private final EngineSettings settings =
                new EngineSettings(OneLockBackend.LEASE.toNanos(), SECOND, 0, SECOND, false, false);
        private final List<HeldLease> notified = new ArrayList<>();
        final HandTiming timing = new HandTiming();
        private final OneLockBackend server = new OneLockBackend(true);
        private final List<Runnable> requests = new ArrayList<>();
        final RenewalTimer timer;

        OfOneTimer() {
            this(() -> {}, 1);
        }

        OfOneTimer(Runnable everyTick, int slots) {
            EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(this::later));
            timer = new RenewalTimer(new SharedServices(server, null, threads, notice -> {}), 12, everyTick, slots);
        }

        /** Requests have no part in the race. */
        private synchronized void later(Runnable request) {
            requests.add(request);
        }

        /** Those of other threads as well. */
        void runRequests() {
            for (Runnable request = next(); request != null; request = next()) {
                request.run();
            }
        }

        private synchronized @Nullable Runnable next() {
            return requests.isEmpty() ? null : requests.remove(0);
        }

        void requireRenewed(int leases) {
            runRequests();
            requireEqual(server.renewals().size(), leases, "renewals sent");
        }

        /** A tick without news. */
        HeldLease quiet() {
            HeldLease lease = lease("quiet");
            set(lease, SECOND);
            lease.alarm = Timed.NEVER;
            timing.set(SECOND);
            return lease;
        }

        HeldLease lease(String holder) {
            LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            Claim claim = Contender.claim(new LockName("n"), new HolderId(holder), terms, 1);
            Grant grant = Grant.of(claim, 1, OneLockBackend.LEASE);
            return new HeldLease(grant, terms, settings, 0, OneLockBackend.LEASE.toNanos(), 0);
        }

        /** As a machine does that wants to hear of that moment, and has nothing to do then. */
        void set(HeldLease lease, long moment) {
            lease.alarm = moment;
            timer.set(lease, event -> {
                if (event instanceof Event.TimePassed) {
                    notified(lease);
                }
            });
        }

        private void notified(HeldLease lease) {
            lease.alarm = Timed.NEVER;
            timer.set(lease, event -> {});
            synchronized (this) {
                notified.add(lease);
            }
        }

        void requireToldAt(HeldLease lease, long moment) {
            timing.set(moment);
            timing.fire();
            require(
                    wasTold(lease),
                    "a lease was forgotten: " + lease.grant.claim().holder());
        }

        synchronized boolean wasTold(HeldLease lease) {
            return notified.contains(lease);
        }
    }

    /** A thread that comes after the tick must not cancel the timer that was set during it. */
    private static final class SetDuringTick extends OfOneTimer {
        private final HeldLease present = lease("present");
        private final HeldLease next = lease("next");
        private final HeldLease later = lease("later");

        SetDuringTick() {
            set(present, SECOND);
            timing.set(SECOND);
            add(timing::fire);
            add(() -> set(next, 2 * SECOND));
        }

        @Override
        public void check() {
            require(wasTold(present), "the present lease was forgotten");
            set(later, 3 * SECOND);
            requireToldAt(next, 2 * SECOND);
            requireToldAt(later, 3 * SECOND);
        }
    }

    private static final class DueDuringTick extends OfOneTimer {
        private final HeldLease next = lease("next");

        DueDuringTick() {
            super(() -> {}, 2);
            quiet();
            add(timing::fire);
            add(() -> set(next, SECOND));
        }

        @Override
        public void check() {
            requireToldAt(next, SECOND);
        }
    }

    /** The tick moves the entry to an alarm that another thread replaces by an earlier one. */
    private static final class NearerDuringTick extends OfOneTimer {
        private final HeldLease lease = lease("lease");
        private boolean toldInTime;

        NearerDuringTick() {
            super(() -> {}, 1);
            lease.alarm = SECOND;
            timer.set(lease, event -> passed());
            timing.set(SECOND);
            add(timing::fire);
            add(() -> {
                move(3 * SECOND);
                timer.set(lease, event -> passed());
            });
        }

        private void passed() {
            if (movesOn()) {
                timer.set(lease, event -> passed());
            }
        }

        /** As under the lock of a machine, which does nothing early. */
        private synchronized boolean movesOn() {
            boolean due = lease.alarm <= timing.nanoTime();
            if (due) {
                toldInTime = lease.alarm == 3 * SECOND;
                lease.alarm = toldInTime ? Timed.NEVER : 10 * SECOND;
            }
            return due;
        }

        private synchronized void move(long alarm) {
            lease.alarm = alarm;
        }

        @Override
        public void check() {
            timing.set(3 * SECOND);
            timing.fire();
            require(toldInTime, "the nearer alarm was forgotten");
        }
    }

    private static final class TwoSet extends OfOneTimer {
        private final HeldLease next = lease("next");
        private final HeldLease later = lease("later");

        TwoSet() {
            add(() -> set(next, 2 * SECOND));
            add(() -> set(later, 3 * SECOND));
        }

        @Override
        public void check() {
            requireToldAt(next, 2 * SECOND);
            requireToldAt(later, 3 * SECOND);
        }
    }

    /** The second tick is due during the first one. Both take the new leases over at the same moment. */
    private static final class TwoTicks extends OfOneTimer {
        private static final int LEASES = 10;
        private static final int SPINS = 2_000;

        private final List<HeldLease> later = new ArrayList<>();
        private final AtomicInteger ticks;

        TwoTicks() {
            this(new AtomicInteger());
        }

        private TwoTicks(AtomicInteger ticks) {
            super(() -> meet(ticks), 32);
            this.ticks = ticks;
            HeldLease first = lease("first");
            HeldLease second = lease("second");
            set(first, SECOND);
            for (int i = 0; i < LEASES; i++) {
                HeldLease lease = lease("later" + i);
                later.add(lease);
                set(lease, 2 * SECOND);
            }
            timing.set(SECOND);
            add(timing::fire);
            add(() -> {
                await(ticks, 1);
                set(second, SECOND);
                timing.fire();
            });
        }

        private static void meet(AtomicInteger ticks) {
            ticks.incrementAndGet();
            await(ticks, 2);
        }

        private static void await(AtomicInteger ticks, int number) {
            for (int spins = 0; ticks.get() < number && spins < SPINS; spins++) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void check() {
            ticks.set(2);
            later.forEach(lease -> requireToldAt(lease, 2 * SECOND));
        }
    }

    /** A tick ends the leases, and another thread starts the effects that follow. */
    private static final class EndedDuringTick extends OfOneTimer {
        private static final int LEASES = 10;
        private static final int SPINS = 2_000;

        private final List<HeldLease> leases = new ArrayList<>();

        EndedDuringTick() {
            for (int i = 0; i < LEASES; i++) {
                HeldLease lease = lease("lease" + i);
                leases.add(lease);
                lease.alarm = SECOND + i;
                timer.set(lease, event -> lease.alarm = Timed.NEVER);
            }
            timing.set(2 * SECOND);
            add(timing::fire);
            add(() -> leases.forEach(this::takeAlarmAway));
        }

        private void takeAlarmAway(HeldLease lease) {
            for (int spins = 0; lease.alarm != Timed.NEVER && spins < SPINS; spins++) {
                Thread.onSpinWait();
            }
            timer.set(lease, event -> lease.alarm = Timed.NEVER);
        }

        @Override
        public void check() {
            timing.fire();
            leases.forEach(lease -> {
                lease.alarm = Timed.NEVER;
                timer.set(lease, event -> {});
            });
            require(timer.isEmpty(), "an entry of an ended lease stays");
        }
    }

    private static final class RenewedAtOnce extends OfOneTimer {
        RenewedAtOnce() {
            HeldLease one = lease("one");
            HeldLease other = lease("other");
            add(() -> {
                timer.renew(one);
                runRequests();
            });
            add(() -> {
                timer.renew(other);
                runRequests();
            });
        }

        @Override
        public void check() {
            requireRenewed(2);
        }
    }

    private static final class RenewedDuringTick extends OfOneTimer {
        RenewedDuringTick() {
            HeldLease lease = quiet();
            add(timing::fire);
            add(() -> timer.renew(lease));
        }

        @Override
        public void check() {
            requireRenewed(1);
        }
    }

    private static final class RenewedAtTheEndOfATick extends OfOneTimer {
        RenewedAtTheEndOfATick(int spins) {
            this(new LateStores(), spins);
        }

        private RenewedAtTheEndOfATick(LateStores late, int spins) {
            super(late::store, 1);
            HeldLease lease = quiet();
            add(timing::fire);
            add(() -> {
                late.await(spins);
                timer.renew(lease);
            });
        }

        @Override
        public void check() {
            requireRenewed(1);
        }
    }
}
