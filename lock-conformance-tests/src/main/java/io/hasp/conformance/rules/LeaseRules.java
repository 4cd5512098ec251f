package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** LE: a lock is held for as long as was agreed, and no longer. */
public interface LeaseRules extends RuleGroup {

    /**
     * A lease that nobody renews and nobody releases ends by itself, neither early nor late.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void le1_lease_without_renewal_expires_in_time() throws Exception {
        Duration lease = Timings.units(8);
        try (Trial trial = Trial.about(subject(), Claimed.FIXED_LEASE);
                Lateness lateness = new Lateness()) {
            LockUser first = trial.user();
            LockUser second = trial.user();
            long asked = System.nanoTime();
            trial.take(first, lease);
            long granted = System.nanoTime();
            Optional<Hold> next = second.tryAcquire(
                    trial.lock(), lease.plus(Timings.tolerance().multipliedBy(3)));
            long now = System.nanoTime();

            assertThat(next)
                    .as("a lease of " + lease + " that nobody released still holds the lock after "
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
     * A hold without a fixed time lives for as long as its client: here for ten leases.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void le2_renewal_keeps_the_lock_for_ten_leases() throws Exception {
        try (Trial trial = Trial.about(subject(), Claimed.RENEWAL)) {
            LockUser second = trial.user();
            Hold hold = trial.take(trial.user());
            holdsFor(trial, hold, second, Timings.lease().multipliedBy(10));
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    /**
     * An administrator deletes the lock under its holder, who is told, and can lock again with renewal at work.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews() throws Exception {
        try (Trial trial = Trial.about(subject(), Claimed.LOSS_DETECTION, Claimed.RENEWAL)) {
            LockUser first = trial.user();
            LockUser second = trial.user();
            Hold deleted = trial.take(first);
            faults().deleteLock(trial.lock());
            Awaitility.await("the holder is told that its lock was deleted")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Timings.lease().plus(Timings.units(2)))
                    .until(() -> !deleted.believesHeld());
            assertThat(deleted.release()).as("release of a deleted lock").isFalse();

            Hold again = first.tryAcquire(trial.lock(), Timings.tolerance())
                    .orElseThrow(() -> new AssertionError("nobody holds the deleted lock, but it was refused"));
            holdsFor(trial, again, second, Timings.lease().multipliedBy(3));
            assertThat(again.release()).as("the holder's release succeeds").isTrue();
        }
    }

    private static void holdsFor(Trial trial, Hold hold, LockUser other, Duration time) throws Exception {
        long start = System.nanoTime();
        Duration passed = Duration.ZERO;
        try (Lateness lateness = new Lateness()) {
            while (passed.compareTo(time) < 0) {
                String since = passed + " (the machine was up to " + lateness.worst() + " late)";
                trial.assertRefused(other, "the first holds it since " + since + " and its client lives");
                assertThat(hold.believesHeld())
                        .as("whether the holder believes after " + since + " that it holds the lock")
                        .isTrue();
                // Not a wait for something to happen: the interval at which "nothing happened" is sampled.
                Thread.sleep(Timings.units(0.5).toMillis());
                passed = Duration.ofNanos(System.nanoTime() - start);
            }
        }
    }
}
