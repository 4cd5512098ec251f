package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HoldReport;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import io.hasp.conformance.rules.support.ThreadInterrupter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** LE: a lock is held for the agreed time, and no longer. */
public interface LeaseRules extends RuleGroup {

    /**
     * A lease without renewal and without release ends by itself, neither early nor late.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le1_lease_without_renewal_expires_in_time() throws Exception {
        Duration lease = Timings.units(8);
        try (RuleRun run = RuleRun.about(subject(), Claimed.FIXED_LEASE);
                MachineLateness lateness = new MachineLateness()) {
            LockUser first = run.user();
            LockUser second = run.user();
            long asked = System.nanoTime();
            run.take(first, lease);
            long granted = System.nanoTime();
            Optional<Hold> next =
                    second.tryAcquire(run.lock(), lease.plus(Timings.tolerance().multipliedBy(3)));
            long now = System.nanoTime();

            assertThat(next)
                    .as("a lease of " + lease + " without a release still holds the lock after "
                            + Duration.ofNanos(now - granted))
                    .isPresent();
            assertThat(Duration.ofNanos(now - asked))
                    .as("the next client got the lock after")
                    .isGreaterThan(lease.multipliedBy(95).dividedBy(100))
                    .isLessThan(lease.plus(Timings.tolerance()).plus(lateness.allowance()));
            next.orElseThrow().release();
        }
    }

    /**
     * A hold without a fixed time lives for as long as its client: here for ten leases, outside the full tier for two.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le2_renewal_keeps_the_lock_for_as_long_as_its_client_lives() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.RENEWAL)) {
            LockUser second = run.user();
            Hold hold = run.take(run.user());
            run.assertHeldFor(Timings.lease().multipliedBy(Tier.count(2, 10)), hold, second);
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    /**
     * An administrator deletes a held lock. The holder is notified, and can acquire the lock again, with working
     * renewal.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.LOSS_DETECTION, Claimed.RENEWAL)) {
            LockUser first = run.user();
            LockUser second = run.user();
            Hold deleted = run.take(first);
            faults().deleteLock(run.lock());
            Awaitility.await("the holder is told that its lock was deleted")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Timings.lease().plus(Timings.units(2)))
                    .until(() -> !deleted.believesHeld());
            assertThat(deleted.release()).as("release of a deleted lock").isFalse();

            Hold again = first.tryAcquire(run.lock(), Timings.tolerance())
                    .orElseThrow(() -> new AssertionError("nobody holds the deleted lock, but it was refused"));
            run.assertHeldFor(Timings.lease().plus(Timings.units(5)), again, second);
            assertThat(again.release()).as("the holder's release succeeds").isTrue();
        }
    }

    /**
     * Threads of one client take the lock, give it back and are interrupted, at any moment of either.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le3_races_of_acquire_release_and_interrupt_leave_nothing_held() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.RENEWAL)) {
            LockUser racer = run.user();
            LockUser next = run.user();
            try (ThreadInterrupter interruptions = new ThreadInterrupter()) {
                AtomicInteger rounds = new AtomicInteger(Tier.count(1_000, 10_000));
                List<RuleRun.Task<Boolean>> tasks = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    tasks.add(run.start(() -> race(run, racer, rounds, interruptions)));
                }
                for (RuleRun.Task<Boolean> task : tasks) {
                    task.get(Duration.ofMinutes(2));
                }
            }
            Hold hold = next.tryAcquire(run.lock(), Timings.tolerance())
                    .orElseThrow(() -> new AssertionError("a lock whose every holder released it is still held"));
            run.assertHeldFor(Timings.lease(), hold, racer);
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    private static boolean race(RuleRun run, LockUser user, AtomicInteger rounds, ThreadInterrupter interruptions)
            throws Exception {
        interruptions.to(Thread.currentThread());
        while (rounds.getAndDecrement() > 0) {
            Optional<Hold> hold;
            try {
                hold = user.tryAcquire(run.lock(), Timings.longWait());
            } catch (InterruptedException e) {
                continue;
            }
            Thread.interrupted();
            assertThat(ThreadInterrupter.released(
                            hold.orElseThrow(() -> new AssertionError("a lock that is released at once was refused"))))
                    .as("whether a lock was still held whose client lives")
                    .isNotEqualTo(Optional.of(false));
        }
        return true;
    }

    /**
     * A whole client process is stopped for longer than its server waits, and continues.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le8_client_that_was_stopped_beyond_its_lease_goes_on_without_the_lock() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.LOSS_DETECTION, Claimed.RENEWAL);
                ClientJvm stopped = process("stopped")) {
            LockUser other = run.user();
            LockUser third = run.user();
            Hold hold = run.take(stopped);
            run.assertRefused(other, "a client process holds it");
            stopped.pause();
            Hold next = other.tryAcquire(run.lock(), subject().silence().plus(Timings.longWait()))
                    .orElseThrow(() -> new AssertionError("the lock of a client that stands still is never freed"));

            CompletableFuture<List<HoldReport>> firstThing = stopped.reporting();
            stopped.resume();

            assertThat(firstThing.get(1, TimeUnit.MINUTES))
                    .as("what a client believes that went on after another had got its lock")
                    .noneMatch(HoldReport::believed);
            assertThat(hold.release()).as("release of a lock that was lost").isFalse();
            run.assertRefused(third, "a client that was late released a lock that another holds now");
            assertThat(next.release()).as("the holder's release succeeds").isTrue();
            Awaitility.await("the client that was stopped can lock again")
                    .atMost(Timings.longWait())
                    .ignoreExceptions()
                    .until(() ->
                            stopped.tryAcquire(run.lock(), Timings.tolerance()).isPresent());
        }
    }
}
