package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.DistributedSemaphore;
import io.hasp.ElectionOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockCapabilities.Enforcement;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.LockView;
import io.hasp.LockView.Kind;
import io.hasp.LockView.Use;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** IN: the inspector's views of single locks agree with the work of the clients. For backends that declare an inspector. */
public interface InspectorRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * A holder and three waiting clients. Where that is not offered, it is refused.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in1_holder_and_waiters_have_their_labels_tokens_and_order() throws Exception {
        try (LockClient client = subject().connect()) {
            if (!client.capabilities().inspection()) {
                assertThatExceptionOfType(UnsupportedCapabilityException.class)
                        .isThrownBy(client::inspector)
                        .withMessageContaining("inspector");
                return;
            }
        }
        try (InspectedRun run = InspectedRun.about(this, subject());
                MachineLateness lateness = new MachineLateness()) {
            Lease held = InspectedRun.take(run.client("hôlder 😀 \"1\"").lock(run.lock()));
            Task<Lease> first = run.waiting(run.client("first").lock(run.lock()));
            Task<Lease> second = run.waiting(run.client("second").lock(run.lock()));
            Task<Lease> third = run.waiting(run.client("third").lock(run.lock()));
            LockView view = run.view(run.lock());
            assertThat(view.name()).isEqualTo(run.lock());
            assertThat(view.kind()).isEqualTo(Kind.EXCLUSIVE);
            assertThat(view.capacity()).isEqualTo(1);
            assertHolder(run, run.holder(run.lock()), held, "hôlder 😀 \"1\"");
            assertThat(view.newestToken()).as("the newest token").hasValue(held.fencingToken());
            // A waiter that could not ask for a while loses its place.
            if (run.inOrder() && lateness.worst().compareTo(Timings.units(1)) < 0) {
                assertThat(view.waiters())
                        .as("the waiters in their order")
                        .extracting(LockView.Waiter::label)
                        .containsExactly("first", "second", "third");
                assertThat(view.waiting()).as("the number of waiters").isEqualTo(3);
            }
            assertThat(view.waiters()).allSatisfy(waiter -> {
                assertThat(waiter.use()).isEqualTo(Use.HELD);
                assertThat(waiter.permits()).isEqualTo(1);
            });
            held.release();
            first.get().release();
            second.get().release();
            third.get().release();
            assertThat(run.inspector().lock(run.lock()))
                    .as("a lock without holder and waiter")
                    .isEmpty();
        }
    }

    private static void assertHolder(InspectedRun run, LockView.Holder shown, Lease held, String label) {
        assertThat(shown.label()).as("the holder's label").isEqualTo(label);
        assertThat(shown.fencingToken()).as("the holder's token").isEqualTo(held.fencingToken());
        assertThat(shown.use()).isEqualTo(Use.HELD);
        assertThat(shown.permits()).isEqualTo(1);
        if (run.capabilities().enforcement() == Enforcement.LEASE) {
            assertThat(shown.timeLeft().orElseThrow())
                    .as("the time left of a lease of " + Timings.lease())
                    .isPositive()
                    .isLessThanOrEqualTo(Timings.lease().plus(Timings.units(1)));
        } else {
            assertThat(shown.timeLeft())
                    .as("the time left of a lock that lasts as long as a session")
                    .isEmpty();
        }
    }

    /**
     * Two locks are taken after each other; the first one is held for a while.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in2_moments_are_of_the_servers_clock_and_a_renewal_changes_no_begin() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            LockClient client = run.client("holder");
            String later = run.lock() + "-later";
            long begun = System.nanoTime();
            InspectedRun.take(client.lock(run.lock()));
            LockView.Holder shown = run.holder(run.lock());
            // Not a wait for something to happen: the lock is held for longer than one lease.
            TimeUnit.NANOSECONDS.sleep(Timings.lease().plus(Timings.units(3)).toNanos());
            InspectedRun.take(client.lock(later));
            LockView view = run.view(run.lock());
            Duration most = Duration.ofNanos(System.nanoTime() - begun).plus(Timings.units(1));
            assertThat(run.holder(run.lock()).since())
                    .as("the begin of a lease that was renewed")
                    .isEqualTo(shown.since());
            view.holders().get(0).since().ifPresent(since -> {
                assertThat(Duration.between(since, view.readAt()))
                        .as("the time from the begin of a hold to the view")
                        .isBetween(Timings.lease(), most);
                assertThat(run.holder(later).since().orElseThrow())
                        .as("the begin of a later hold")
                        .isAfter(since);
            });
        }
    }

    /**
     * Two readers hold, and a writer waits.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in3_readers_and_writers_are_shown_as_such() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject(), Claimed.READ_WRITE)) {
            String name = run.lock();
            Lease one = InspectedRun.take(run.client("one").readWriteLock(name).read());
            Lease two = InspectedRun.take(run.client("two").readWriteLock(name).read());
            Task<Lease> writing =
                    run.waiting(run.client("writer").readWriteLock(name).write());
            LockView view = run.view(name);
            assertThat(view.kind()).isEqualTo(Kind.READ_WRITE);
            assertThat(view.capacity()).isEqualTo(1);
            assertThat(view.holders())
                    .as("labels, tokens and use of two readers")
                    .extracting(LockView.Holder::label, LockView.Holder::fencingToken, LockView.Holder::use)
                    .containsExactlyInAnyOrder(
                            tuple("one", one.fencingToken(), Use.READ), tuple("two", two.fencingToken(), Use.READ));
            if (run.inOrder()) {
                assertThat(view.waiters())
                        .as("the waiting writer")
                        .extracting(LockView.Waiter::label, LockView.Waiter::use)
                        .containsExactly(tuple("writer", Use.WRITE));
            }
            one.release();
            two.release();
            Lease written = writing.get();
            assertThat(run.holder(name).use()).as("the use of a writer").isEqualTo(Use.WRITE);
            assertThat(run.holder(name).fencingToken()).isEqualTo(written.fencingToken());
        }
    }

    /**
     * Permits are held, given back and waited for.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in3_permits_are_counted() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject(), Claimed.SEMAPHORE, Claimed.PARTIAL_GIVE_BACK)) {
            String name = run.lock();
            DistributedSemaphore first = run.client("three").semaphore(name, 5);
            Lease three = InspectedRun.take(first.permits(3));
            Lease one = InspectedRun.take(run.client("one").semaphore(name, 5).permits(1));
            Task<Lease> waiting =
                    run.waiting(run.client("four").semaphore(name, 5).permits(4));
            LockView view = run.view(name);
            assertThat(view.kind()).isEqualTo(Kind.SEMAPHORE);
            assertThat(view.capacity()).isEqualTo(5);
            assertThat(view.holders())
                    .as("labels, tokens and permits")
                    .extracting(LockView.Holder::label, LockView.Holder::fencingToken, LockView.Holder::permits)
                    .containsExactlyInAnyOrder(
                            tuple("three", three.fencingToken(), 3), tuple("one", one.fencingToken(), 1));
            if (run.inOrder()) {
                assertThat(view.waiters())
                        .extracting(LockView.Waiter::label, LockView.Waiter::permits)
                        .containsExactly(tuple("four", 4));
            }
            Lease left = first.giveBack(three, 1);
            Awaitility.await("the permits that are left are shown")
                    .atMost(Timings.lease())
                    .until(() -> run.view(name).holders().stream()
                            .anyMatch(holder -> holder.label().equals("three") && holder.permits() == 2));
            left.release();
            waiting.get().release();
            one.release();
        }
    }

    /**
     * A lock is kept without a use, and another one stays taken after its release.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in4_kept_lock_and_lock_that_stays_taken_are_told_from_locks_in_use() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            if (run.keeps()) {
                LockClient keeper = run.client(
                        "keeper", options -> options.keep(Timings.lease().dividedBy(3)));
                InspectedRun.take(keeper.lock(run.lock()));
                assertThat(run.holder(run.lock()).use())
                        .as("the use of a lock that its client may keep")
                        .isEqualTo(Use.MAY_BE_KEPT);
            }
            if (run.capabilities().retainedLocks()) {
                String name = run.lock() + "-retained";
                LockOptions options = LockOptions.defaults().takenAtLeast(Timings.longWait());
                Lease lease = InspectedRun.take(run.client("former").lock(name, options));
                assertThat(run.holder(name).use()).as("before the release").isEqualTo(Use.HELD);
                lease.release();
                LockView.Holder stays = run.holder(name);
                assertThat(stays.use()).as("after the release").isEqualTo(Use.STAYS_TAKEN);
                assertThat(stays.label()).isEqualTo("former");
                assertThat(stays.fencingToken()).isEqualTo(lease.fencingToken());
                stays.timeLeft()
                        .ifPresent(left -> assertThat(left)
                                .as("the time for which it stays taken")
                                .isPositive()
                                .isLessThanOrEqualTo(
                                        Timings.longWait().multipliedBy(11).dividedBy(10)));
                assertThat(run.inspector().breakLock(name, stays.fencingToken()))
                        .isTrue();
            }
        }
    }

    /**
     * Its label is the candidate's, and not the client's.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in1_leader_is_shown_with_the_label_of_its_candidate() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            CountDownLatch leads = new CountDownLatch(1);
            run.client("client")
                    .election(run.lock(), ElectionOptions.defaults().label("candidate"))
                    .run(term -> {
                        leads.countDown();
                        TimeUnit.HOURS.sleep(1);
                    });
            assertThat(leads.await(Timings.longWait().toNanos(), TimeUnit.NANOSECONDS))
                    .isTrue();
            assertThat(run.holder(run.lock()).label())
                    .as("the label of a leader")
                    .isEqualTo("candidate");
        }
    }

    /**
     * Names and tokens that no lock can have.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in1_impossible_names_and_tokens_are_typed_errors() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            for (String name : List.of("", "a\0", "x".repeat(513), "\ud800")) {
                assertThatThrownBy(() -> run.inspector().lock(name)).isInstanceOf(InvalidArgumentException.class);
                assertThatThrownBy(() -> run.inspector().breakLock(name, 1 << 20))
                        .isInstanceOf(InvalidArgumentException.class);
            }
            for (long token : new long[] {Long.MIN_VALUE, -1, 0, 255}) {
                assertThatThrownBy(() -> run.inspector().breakLock(run.lock(), token))
                        .isInstanceOf(InvalidArgumentException.class)
                        .hasMessageContaining(String.valueOf(token));
            }
            assertThat(run.inspector().lock(run.lock())).as("an unused name").isEmpty();
            assertThat(run.inspector().breakLock(run.lock(), Long.MAX_VALUE / 2))
                    .as("a break of an unused name")
                    .isFalse();
        }
    }
}
