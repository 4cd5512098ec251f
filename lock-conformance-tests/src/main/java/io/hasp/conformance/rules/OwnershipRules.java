package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Faults.HeldRequests;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** OW: only its holder can give a lock up. */
public interface OwnershipRules extends RuleGroup {

    /**
     * A hold that was released releases nothing any more.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow1_release_by_a_non_owner_is_refused_and_leaves_the_lock_intact() throws Exception {
        try (Trial trial = new Trial(subject())) {
            LockUser third = trial.user();
            Hold former = trial.take(trial.user());
            assertThat(former.release()).as("the holder's release succeeds").isTrue();
            Hold current = trial.take(trial.user());

            boolean released = released(former);

            trial.assertRefused(third, "a former holder released a lock that another holds now");
            assertThat(released)
                    .as("the former holder was told that it released something")
                    .isFalse();
            assertThat(current.release()).as("the holder's release succeeds").isTrue();
        }
    }

    /**
     * A hold that has expired releases nothing any more.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow2_release_after_expiry_leaves_the_next_holder_alone() throws Exception {
        try (Trial trial = Trial.about(subject(), Claimed.FIXED_LEASE)) {
            LockUser first = trial.user();
            LockUser third = trial.user();
            Hold expired = trial.take(first, Timings.units(2));
            Hold current = trial.user()
                    .tryAcquire(trial.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lease of 2 units never ended"));

            boolean released = released(expired);

            trial.assertRefused(third, "a client whose lease had ended released a lock that another holds now");
            assertThat(released)
                    .as("the late client was told that it released something")
                    .isFalse();
            assertThat(current.release()).as("the holder's release succeeds").isTrue();
            assertThat(trial.take(first).release())
                    .as("the late client can lock again")
                    .isTrue();
        }
    }

    /**
     * A release that was sent in time and arrives when another holds the lock.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone() throws Exception {
        Duration lease = Timings.units(4);
        try (Trial trial = Trial.about(subject(), Claimed.FIXED_LEASE)) {
            LockUser second = trial.user();
            LockUser third = trial.user();
            Hold late = trial.take(trial.user(), lease);
            HeldRequests held = faults().holdWrites(lease.multipliedBy(2));
            int others = held.waiting();
            Trial.Task<Hold> next = trial.start(() -> second.tryAcquire(trial.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lease never ended")));
            awaitHeld(held, others + 1);
            Trial.Task<Boolean> release = trial.start(() -> released(late));
            Hold current = next.get();
            release.get();

            trial.assertRefused(third, "a release that arrived late removed the lock of the next holder");
            assertThat(current.release()).as("the holder's release succeeds").isTrue();
        }
    }

    private static void awaitHeld(HeldRequests held, int count) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(2))
                .atMost(Timings.longWait())
                .until(() -> held.waiting() >= count);
    }

    private static boolean released(Hold hold) {
        try {
            return hold.release();
        } catch (Exception e) {
            return false;
        }
    }
}
