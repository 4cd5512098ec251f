package io.hasp.engine;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases come, are renewed and go while the timer ticks. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class RenewalTimerRaceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void lease_that_comes_during_a_tick_is_looked_at_in_time() throws Exception {
        Races.run(() -> new SetDuringTick());
    }

    @Test
    void renewal_that_is_wanted_during_another_is_sent() throws Exception {
        Races.run(() -> new RenewedAtOnce());
    }

    @Test
    void renewal_that_is_wanted_during_a_tick_is_sent() throws Exception {
        Races.run(() -> new RenewedDuringTick());
    }

    private abstract static class OfOneTimer extends Race {
        private final Settings settings = new Settings(OneLockBackend.LEASE.toNanos(), SECOND, 0, SECOND, false, false);
        private final List<HeldLease> told = new ArrayList<>();
        final HandTiming timing = new HandTiming();
        final OneLockBackend server = new OneLockBackend(true);
        final RenewalTimer timer;

        OfOneTimer() {
            EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
            timer = new RenewalTimer(new Services(server, threads, notice -> {}), 12, () -> {});
        }

        HeldLease lease(String holder) {
            Terms terms = Terms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
            Claim claim = Contender.claim(new LockName("n"), new HolderId(holder), terms, 1);
            Grant grant = Grant.of(claim, 1, OneLockBackend.LEASE);
            return new HeldLease(grant, terms, settings, 0, OneLockBackend.LEASE.toNanos(), 0);
        }

        /** As a machine does that wants to hear of that moment, and has nothing to do then. */
        void set(HeldLease lease, long moment) {
            lease.alarm = moment;
            timer.set(lease, event -> {
                if (event instanceof Event.TimePassed) {
                    told(lease);
                }
            });
        }

        private void told(HeldLease lease) {
            lease.alarm = Timed.NEVER;
            timer.set(lease, event -> {});
            synchronized (this) {
                told.add(lease);
            }
        }

        synchronized boolean wasTold(HeldLease lease) {
            return told.contains(lease);
        }
    }

    private static final class SetDuringTick extends OfOneTimer {
        private final HeldLease present = lease("present");
        private final HeldLease next = lease("next");
        private final HeldLease later = lease("later");

        SetDuringTick() {
            set(present, SECOND);
            timing.set(SECOND);
            add(timing::fire);
            add(() -> set(next, 2 * SECOND));
            add(() -> set(later, 3 * SECOND));
        }

        @Override
        void check() {
            require(wasTold(present), "the present lease was forgotten");
            timing.set(2 * SECOND);
            timing.fire();
            require(wasTold(next), "the next lease was forgotten");
            timing.set(3 * SECOND);
            timing.fire();
            require(wasTold(later), "the later lease was forgotten");
        }
    }

    private static final class RenewedAtOnce extends OfOneTimer {
        RenewedAtOnce() {
            HeldLease one = lease("one");
            HeldLease other = lease("other");
            add(() -> timer.renew(one));
            add(() -> timer.renew(other));
        }

        @Override
        void check() {
            requireEqual(server.renewals(), 2, "renewals sent");
        }
    }

    private static final class RenewedDuringTick extends OfOneTimer {
        RenewedDuringTick() {
            HeldLease one = lease("one");
            HeldLease other = lease("other");
            one.alarm = SECOND;
            timer.set(one, event -> {
                if (event instanceof Event.TimePassed) {
                    one.alarm = Timed.NEVER;
                    timer.renew(one);
                }
            });
            timing.set(SECOND);
            add(timing::fire);
            add(() -> timer.renew(other));
        }

        @Override
        void check() {
            requireEqual(server.renewals(), 2, "renewals sent");
        }
    }
}
