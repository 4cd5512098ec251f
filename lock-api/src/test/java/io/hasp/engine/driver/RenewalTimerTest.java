package io.hasp.engine.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.HandTiming;
import io.hasp.engine.OneLockBackend;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The requests of the timer of all leases, and the leases that learn of a denial. */
public class RenewalTimerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final HandTiming timing = new HandTiming();
    private final OneLockBackend server = new OneLockBackend(true);
    private final List<Event> events = new ArrayList<>();
    private final List<Runnable> handedOver = new ArrayList<>();

    private static HeldLease lease(String holder) {
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
        Claim claim = Contender.claim(new LockName("n"), new HolderId(holder), terms, 1);
        EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), SECOND, 0, SECOND, false, false);
        return new HeldLease(
                Grant.of(claim, 1, OneLockBackend.LEASE), terms, settings, 0, OneLockBackend.LEASE.toNanos(), 0);
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
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, null, threads, notice -> {}), 12, () -> {});
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
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, null, threads, notice -> {}), 12, () -> {});
        for (int i = 0; i < 250; i++) {
            timer.renew(lease("h" + i));
        }

        runHandedOver();

        assertThat(server.renewals()).hasSize(250);
        assertThat(server.renewalRequests()).isEqualTo(3);
    }

    @Test
    void an_alarm_that_comes_nearer_is_heard_in_time() {
        RenewalTimer timer = timer();
        HeldLease lease = lease("h");
        lease.alarm = 3 * SECOND;
        timer.set(lease, events::add);
        lease.alarm = 2 * SECOND;
        timer.set(lease, events::add);

        timing.set(2 * SECOND);
        timing.fire();

        assertThat(events).first().isEqualTo(new Event.TimePassed(lease));
    }

    /** An entry that is due earlier stays until then, and must not stay longer: no tick would come for the alarm that comes nearer. */
    @Test
    void an_alarm_that_moved_on_and_comes_nearer_again_is_heard_in_time() {
        RenewalTimer timer = timer();
        HeldLease lease = lease("h");
        LeaseMachine machine = event -> {
            events.add(event);
            lease.alarm = 10 * SECOND;
            timer.set(lease, events::add);
        };
        lease.alarm = SECOND;
        timer.set(lease, machine);
        timing.set(SECOND);
        timing.fire();
        lease.alarm = 3 * SECOND;
        timer.set(lease, machine);

        timing.set(3 * SECOND);
        timing.fire();

        assertThat(events).containsExactly(new Event.TimePassed(lease), new Event.TimePassed(lease));
    }

    /** The answer may promise less than the one before. Then the next renewal is due before the tick that looks for this answer. */
    @Test
    void renewal_that_is_due_earlier_after_an_answer_is_sent_in_time() {
        RenewalTimer timer = timer();
        HeldLease lease = lease("h");
        List<Long> begun = new ArrayList<>();
        LeaseMachine machine = new LeaseMachine() {
            @Override
            public void apply(Event event) {
                events.add(event);
            }

            @Override
            public boolean beginsRenewal(HeldLease due) {
                begun.add(timing.nanoTime());
                due.alarm = 20 * SECOND;
                return true;
            }

            @Override
            public boolean confirms(HeldLease confirmed, long sentAt, Renewal.Renewed renewed) {
                confirmed.alarm = 2 * SECOND;
                return true;
            }
        };
        lease.alarm = SECOND;
        timer.set(lease, machine);
        timing.set(SECOND);
        timing.fire();
        runHandedOver();

        timing.set(2 * SECOND);
        timing.fire();

        assertThat(begun).containsExactly(SECOND, 2 * SECOND);
    }

    /** Each alarm moves at random, often several times before a tick, and ends sometimes. */
    @Test
    void alarms_that_move_to_and_fro_are_all_heard_in_time_and_leave_no_entry() {
        RenewalTimer timer = timer();
        Random random = new Random(7);
        List<HeldLease> leases =
                IntStream.range(0, 200).mapToObj(i -> lease("h" + i)).toList();
        for (int step = 1; step <= 2_000; step++) {
            for (int i = 0; i < 20; i++) {
                move(timer, leases.get(random.nextInt(leases.size())), random);
            }
            timing.set(step * SECOND / 10);
            timing.fire();
            assertThat(leases).as("after step %d", step).allMatch(lease -> lease.alarm > timing.nanoTime());
        }
        leases.forEach(lease -> {
            lease.alarm = Timed.NEVER;
            timer.set(lease, events::add);
        });
        assertThat(timer.isEmpty()).isTrue();
    }

    private void move(RenewalTimer timer, HeldLease lease, Random random) {
        lease.alarm = random.nextInt(10) == 0 ? Timed.NEVER : timing.nanoTime() + 1 + random.nextLong(3 * SECOND);
        timer.set(lease, event -> {
            if (lease.alarm <= timing.nanoTime()) {
                move(timer, lease, random);
            }
        });
    }

    private RenewalTimer timer() {
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(handedOver::add));
        return new RenewalTimer(new SharedServices(server, null, threads, notice -> {}), 12, () -> {});
    }

    /** The server knows a holder by its id, however much of its share is left. */
    @Test
    void what_is_denied_to_a_lease_is_told_where_the_one_lives_that_began_in_its_place() {
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
        server.denyRenewals();
        RenewalTimer timer = new RenewalTimer(new SharedServices(server, null, threads, notice -> {}), 12, () -> {});
        HeldLease writer = lease("writer");
        HeldLease reader = writer.loweredTo(Share.READ, 0).loweredTo(Share.READ, 0);
        reader.alarm = SECOND;
        timer.set(reader, events::add);

        timer.renew(writer);

        Renewal lost = new Renewal.Lost("nobody has it");
        assertThat(events).containsExactly(new Event.Renewed(writer, 0, lost));
    }
}
