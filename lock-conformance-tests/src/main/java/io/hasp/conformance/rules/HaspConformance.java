package io.hasp.conformance.rules;

import io.hasp.conformance.HaspSubject;
import java.util.Set;

/** All rules for a backend of Hasp: those for any lock, and those of Hasp's own API. */
public interface HaspConformance
        extends LockConformance,
                SharedLockConformance,
                ApiRules,
                BreakRules,
                ClientRules,
                ClosingRules,
                InspectorRules,
                InterruptRules,
                ListingRules,
                MultiLockRules,
                OwnReleaseRules,
                RetainedLockRules,
                ThreadOwnedRules,
                TokenFloorRules,
                KeptLockRules,
                KeptReuseRules,
                KeptEndRules,
                KeeperFaultRules,
                ElectionRules,
                ElectionFaultRules,
                SharedApiRules {

    /**
     * Rules of the fast tier for an adopter whose backend has another adopter under all rules: exclusion under
     * contention, a waiter that a message wakes, and a loss that is noticed.
     */
    Set<String> REPRESENTATIVE = Set.of(
            "me2_recorded_holds_never_overlap",
            "ke2_waiter_gets_a_lock_that_is_only_kept",
            "le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews");

    @Override
    HaspSubject subject();
}
