package io.hasp.redis;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;

/** The failure and permission rules, with Lettuce. */
@InTier(Tier.STANDARD)
class LettuceFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Through library() {
        return Through.LETTUCE;
    }
}
