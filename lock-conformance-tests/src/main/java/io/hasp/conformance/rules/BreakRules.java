package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockOptions;
import io.hasp.LockView;
import io.hasp.ReleaseResult;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** IN: an operator breaks locks. For backends that declare an inspector. */
public interface BreakRules extends RuleGroup {
    /** Earlier than most polls of any backend. */
    Duration AT_ONCE = Timings.units(0.4);

    int ROUNDS = 9;

    @Override
    HaspSubject subject();

    /**
     * Round by round a client holds and the next one waits.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void in8_broken_lock_goes_to_its_waiter_at_once_and_its_holder_finds_out() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            LockClient[] clients = {run.client("one"), run.client("two")};
            List<Duration> rounds = new ArrayList<>();
            Lease held = InspectedRun.take(clients[0].lock(run.lock()));
            for (int round = 1; round <= ROUNDS; round++) {
                Task<Lease> waiting = run.waiting(clients[round % 2].lock(run.lock()));
                try (MachineLateness lateness = new MachineLateness()) {
                    assertThat(run.inspector().breakLock(run.lock(), held.fencingToken()))
                            .as("a break with the token of the holder")
                            .isTrue();
                    long broken = System.nanoTime();
                    waiting.within(Timings.longWait(), "the waiter of a broken lock was not served");
                    rounds.add(Duration.ofNanos(System.nanoTime() - broken).minus(lateness.worst()));
                }
                Lease next = waiting.get();
                InspectedRun.awaitLost(held);
                assertThat(next.fencingToken())
                        .as("the token of the next holder")
                        .isGreaterThan(held.fencingToken());
                assertUndisturbed(run, held, next);
                held = next;
            }
            Duration median = rounds.stream().sorted().toList().get(ROUNDS / 2);
            assertThat(median)
                    .as("the median of the time from a break to the next holder, in " + ROUNDS + " rounds")
                    .isLessThanOrEqualTo(run.capabilities().waitersPoll() ? Timings.tolerance() : AT_ONCE);
        }
    }

    /** The late release of a former holder leaves the lock with the next one. */
    private static void assertUndisturbed(InspectedRun run, Lease former, Lease next) {
        assertThat(former.release()).as("the release of a broken lock").isNotEqualTo(ReleaseResult.RELEASED);
        assertThat(run.holder(run.lock()).fencingToken())
                .as("the holder after a late release of the former one")
                .isEqualTo(next.fencingToken());
        assertThat(next.state()).isEqualTo(LeaseState.HELD);
    }

    /**
     * The lock changed hands after the operator looked.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in9_break_with_the_token_of_a_former_holder_changes_nothing() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            LockInspector inspector = run.inspector();
            DistributedLock lock = run.client("first").lock(run.lock());
            Lease former = InspectedRun.take(lock);
            former.release();
            Lease held = InspectedRun.take(lock);
            Task<Lease> waiting = run.waiting(run.client("second").lock(run.lock()));
            for (long token : new long[] {former.fencingToken(), held.fencingToken() + 256}) {
                assertThat(inspector.breakLock(run.lock(), token))
                        .as("a break with a token that no holder has")
                        .isFalse();
            }
            waiting.assertStillWaits(Timings.units(8), "the lock was not broken");
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
            assertThat(run.holder(run.lock()).fencingToken())
                    .as("the holder after a break with another token")
                    .isEqualTo(held.fencingToken());
            assertThat(inspector.breakLock(run.lock(), held.fencingToken() + 255))
                    .as("a break with the token of another lease under the same grant")
                    .isTrue();
            Lease next = waiting.get();
            assertThat(inspector.breakLock(run.lock(), held.fencingToken()))
                    .as("a second break with the same token")
                    .isFalse();
            assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(inspector.breakLock(run.lock(), next.fencingToken()))
                    .as("a break of a lock that is free")
                    .isFalse();
        }
    }

    /**
     * Of two readers one is ended; a writer waits.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in10_break_of_one_reader_leaves_the_others() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject(), Claimed.READ_WRITE)) {
            String name = run.lock();
            Lease broken =
                    InspectedRun.take(run.client("broken").readWriteLock(name).read());
            Lease other =
                    InspectedRun.take(run.client("other").readWriteLock(name).read());
            Task<Lease> writing =
                    run.waiting(run.client("writer").readWriteLock(name).write());
            assertThat(run.inspector().breakLock(name, broken.fencingToken())).isTrue();
            InspectedRun.awaitLost(broken);
            writing.assertStillWaits(Timings.units(5), "another client still reads");
            assertThat(other.state()).isEqualTo(LeaseState.HELD);
            assertThat(run.holder(name).label()).as("the reader that is left").isEqualTo("other");
            assertThat(other.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(writing.get().fencingToken())
                    .as("the token of the writer")
                    .isGreaterThan(broken.fencingToken());
        }
    }

    /**
     * Three of five permits are ended; two others stay.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in10_break_of_permits_frees_them_and_leaves_the_others() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject(), Claimed.SEMAPHORE)) {
            String name = run.lock();
            Lease three =
                    InspectedRun.take(run.client("three").semaphore(name, 5).permits(3));
            Lease two = InspectedRun.take(run.client("two").semaphore(name, 5).permits(2));
            Task<Lease> waiting =
                    run.waiting(run.client("waiting").semaphore(name, 5).permits(3));
            assertThat(run.inspector().breakLock(name, three.fencingToken())).isTrue();
            waiting.within(Timings.longWait(), "broken permits were not free");
            InspectedRun.awaitLost(three);
            assertThat(two.state()).isEqualTo(LeaseState.HELD);
            assertThat(run.view(name).holders())
                    .as("the holders after a break of one")
                    .extracting(LockView.Holder::label)
                    .containsExactlyInAnyOrder("two", "waiting");
        }
    }

    /**
     * No caller uses the lock; its client renews what it keeps.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in11_kept_lock_that_is_broken_is_free_and_not_used_again_by_its_keeper() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            if (!run.keeps()) {
                throw new TestAbortedException(
                        run.capabilities().keptLocks()
                                ? "no kept locks are offered: the options exclude them"
                                : "no kept locks are offered");
            }
            LockClient keeper =
                    run.client("keeper", options -> options.keep(Timings.lease().dividedBy(3)));
            long token = brokenWhileKept(run, keeper);
            Lease next = InspectedRun.take(run.client("other").lock(run.lock()));
            assertThat(next.fencingToken()).isGreaterThan(token);
            // Its keeper finds out by its next renewal, or by the refusal of a request.
            Thread.sleep(Timings.lease().toMillis());
            assertThat(keeper.lock(run.lock()).tryAcquire())
                    .as("an attempt of the former keeper")
                    .isEmpty();
            assertThat(run.holder(run.lock()).fencingToken()).isEqualTo(next.fencingToken());
        }
    }

    /** Returns the token of a lock that was broken before its keeper gave it back. */
    private static long brokenWhileKept(InspectedRun run, LockClient keeper) throws Exception {
        for (int i = 0; i < 20; i++) {
            InspectedRun.take(keeper.lock(run.lock())).release();
            OptionalLong token = run.inspector().lock(run.lock()).stream()
                    .flatMap(view -> view.holders().stream())
                    .mapToLong(LockView.Holder::fencingToken)
                    .findFirst();
            if (token.isPresent() && run.inspector().breakLock(run.lock(), token.getAsLong())) {
                return token.getAsLong();
            }
        }
        throw new AssertionError("the lock was not kept until it was looked at, or its break failed, in 20 tries");
    }

    /**
     * A released lock stays taken for a time; an operator ends that.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void in11_lock_that_stays_taken_is_free_after_a_break() throws Exception {
        try (InspectedRun run = InspectedRun.about(this, subject())) {
            if (!run.capabilities().retainedLocks()) {
                throw new TestAbortedException("no locks that stay taken are offered");
            }
            LockOptions options = LockOptions.defaults().takenAtLeast(Timings.longWait());
            Lease former = InspectedRun.take(run.client("former").lock(run.lock(), options));
            former.release();
            DistributedLock other = run.client("other").lock(run.lock());
            assertThat(other.tryAcquire()).as("a lock that stays taken").isEmpty();
            assertThat(run.inspector().breakLock(run.lock(), former.fencingToken()))
                    .as("a break of a lock that stays taken")
                    .isTrue();
            Lease next = other.tryAcquire(Timings.tolerance())
                    .orElseThrow(() -> new AssertionError("a lock was broken, and still stays taken"));
            assertThat(next.fencingToken()).isGreaterThan(former.fencingToken());
        }
    }
}
