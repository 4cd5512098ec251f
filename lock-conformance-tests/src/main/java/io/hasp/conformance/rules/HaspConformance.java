package io.hasp.conformance.rules;

import io.hasp.conformance.HaspSubject;

/** All rules for a backend of Hasp: those for any lock, and those of Hasp's own API. */
public interface HaspConformance
        extends LockConformance,
                SharedLockConformance,
                ApiRules,
                ClientRules,
                ClosingRules,
                InterruptRules,
                OwnReleaseRules,
                RetainedLockRules,
                ThreadOwnedRules,
                TokenFloorRules,
                KeptLockRules,
                KeptReuseRules,
                KeptEndRules,
                KeeperFaultRules,
                SharedApiRules {

    @Override
    HaspSubject subject();
}
