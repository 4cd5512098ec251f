package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Faults.HeldRequests;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
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
        try (RuleRun run = new RuleRun(subject())) {
            LockUser third = run.user();
            Hold former = run.take(run.user());
            assertThat(former.release()).as("the holder's release succeeds").isTrue();
            Hold current = run.take(run.user());

            boolean released = released(former);

            run.assertRefused(third, "a former holder released a lock that another holds now");
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
    @MostlyWaits
    default void ow2_release_after_expiry_leaves_the_next_holder_alone() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.FIXED_LEASE)) {
            LockUser first = run.user();
            LockUser third = run.user();
            Hold expired = run.take(first, Timings.units(2));
            Hold current = run.user()
                    .tryAcquire(run.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lease of 2 units never ended"));

            boolean released = released(expired);

            run.assertRefused(third, "a client whose lease had ended released a lock that another holds now");
            assertThat(released)
                    .as("the late client was told that it released something")
                    .isFalse();
            assertThat(current.release()).as("the holder's release succeeds").isTrue();
            assertThat(run.take(first).release())
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
    @DisturbsServer
    default void ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone() throws Exception {
        Duration lease = Timings.units(4);
        try (RuleRun run = RuleRun.about(subject(), Claimed.FIXED_LEASE)) {
            LockUser second = run.user();
            LockUser third = run.user();
            Hold late = run.take(run.user(), lease);
            HeldRequests held = faults().holdWrites(lease.multipliedBy(2));
            int others = held.waiting();
            // Long, since a part of it may be over when its grant arrives, which is as late.
            RuleRun.Task<Hold> next =
                    run.start(() -> second.tryAcquire(run.lock(), Timings.longWait(), Timings.longWait())
                            .orElseThrow(() -> new AssertionError("the lease never ended")));
            awaitHeld(held, others + 1);
            RuleRun.Task<Boolean> release = run.start(() -> released(late));
            Hold current = next.get();
            release.get();

            run.assertRefused(third, "a release that arrived late removed the lock of the next holder");
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
