package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the timer of all leases does when it can set no further tick, and whom it tells what the server denies. */
class RenewalTimerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final HandTiming timing = new HandTiming();
    private final OneLockBackend server = new OneLockBackend(true);
    private final List<Event> events = new ArrayList<>();
    private final List<Runnable> handedOver = new ArrayList<>();
    private boolean noTimer;

    /** Has no memory for a timer when it is told so. */
    private final class Refusing implements Timing {
        @Override
        public long nanoTime() {
            return timing.nanoTime();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            if (noTimer) {
                throw new OutOfMemoryError("of the test");
            }
            return timing.schedule(delay, task);
        }
    }

    private static HeldLease lease(String holder) {
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
        Claim claim = Contender.claim(new LockName("n"), new HolderId(holder), terms, 1);
        EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), SECOND, 0, SECOND, false, false);
        return new HeldLease(
                Grant.of(claim, 1, OneLockBackend.LEASE), terms, settings, 0, OneLockBackend.LEASE.toNanos(), 0);
    }

    /** One lease wants to be renewed in this tick, the other one later. */
    private void tickWithoutTimer(HeldLease present, HeldLease later) {
        EngineThreads threads = new EngineThreads("c", Optional.of(new Refusing()), Optional.of(handedOver::add));
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, threads, notice -> {}), 12, () -> {});
        present.alarm = SECOND;
        timer.set(present, event -> {
            events.add(event);
            if (event instanceof Event.TimePassed) {
                present.alarm = Timed.NEVER;
                timer.renew(present);
            }
        });
        later.alarm = 5 * SECOND;
        timer.set(later, event -> {
            events.add(event);
            if (event instanceof Event.TimePassed) {
                later.alarm = Timed.NEVER;
            }
        });
        timing.set(SECOND);
        noTimer = true;
        timing.fire();
    }

    /** Otherwise its renewal would be taken to be under way until the lease is lost. */
    @Test
    void a_lease_whose_renewal_had_no_memory_hears_of_that() {
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(handedOver::add));
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, threads, notice -> {}), 12, () -> {});
        HeldLease present = lease("present");
        present.alarm = SECOND;
        timer.set(present, events::add);
        timer.renew(present);
        timing.breakOnce();
        runHandedOver();
        assertThat(events)
                .singleElement()
                .satisfies(
                        event -> assertThat(((Event.Renewed) event).renewal()).isInstanceOf(Renewal.Unknown.class));
    }

    @Test
    void tick_that_can_set_no_timer_ends_the_leases() {
        HeldLease present = lease("present");
        HeldLease later = lease("later");

        tickWithoutTimer(present, later);
        runHandedOver();

        Renewal lost = new Renewal.Lost("no timer could be set for it");
        assertThat(events).contains(new Event.Renewed(present, SECOND, lost), new Event.Renewed(later, SECOND, lost));
    }

    @Test
    void tick_that_can_set_no_timer_sends_the_renewals() {
        tickWithoutTimer(lease("present"), lease("later"));

        runHandedOver();

        assertThat(server.renewals()).hasSize(1);
    }

    @Test
    void tick_that_can_set_no_timer_for_a_moment_costs_no_lease() {
        HeldLease later = lease("later");
        tickWithoutTimer(lease("present"), later);
        noTimer = false;

        runHandedOver();

        assertThat(events).noneMatch(event -> event instanceof Event.Renewed e && e.renewal() instanceof Renewal.Lost);
        timing.fire();
        timing.set(5 * SECOND);
        timing.fire();
        assertThat(events).contains(new Event.TimePassed(later));
    }

    private void runHandedOver() {
        List.copyOf(handedOver).forEach(Runnable::run);
    }

    /** The executor's own thread may be another one that wants a renewal, and comes at this moment. */
    @Test
    void renewal_that_is_wanted_when_a_tick_sends_others_is_sent() {
        AtomicReference<Runnable> onRequest = new AtomicReference<>(() -> {});
        Executor executor = request -> {
            handedOver.add(request);
            onRequest.getAndSet(() -> {}).run();
        };
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(executor));
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, threads, notice -> {}), 12, () -> {});
        HeldLease present = lease("present");
        HeldLease other = lease("other");
        present.alarm = SECOND;
        timer.set(present, event -> {
            present.alarm = Timed.NEVER;
            timer.renew(present);
        });
        onRequest.set(() -> timer.renew(other));
        timing.set(SECOND);
        timing.fire();

        assertThat(handedOver).hasSize(2);
    }

    /** As after a break of the connection by which a backend hears of others: each lease wants to say that it is in use. */
    @Test
    void renewals_that_are_wanted_at_once_share_requests() {
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(handedOver::add));
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, threads, notice -> {}), 12, () -> {});
        for (int i = 0; i < 250; i++) {
            timer.renew(lease("h" + i));
        }

        runHandedOver();

        assertThat(server.renewals()).hasSize(250);
        assertThat(server.renewalRequests()).isEqualTo(3);
    }

    /** The server knows a holder by its id, however much of its share is left. */
    @Test
    void what_is_denied_to_a_lease_is_told_where_the_one_lives_that_began_in_its_place() {
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
        server.denyRenewals();
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, threads, notice -> {}), 12, () -> {});
        HeldLease writer = lease("writer");
        HeldLease reader = writer.loweredTo(Share.READ, 0).loweredTo(Share.READ, 0);
        reader.alarm = SECOND;
        timer.set(reader, events::add);

        timer.renew(writer);

        Renewal lost = new Renewal.Lost("nobody has it");
        assertThat(events).containsExactly(new Event.Renewed(writer, 0, lost));
    }
}
