package io.hasp.redis;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;

/** The failure and permission rules, with Redisson. */
@InTier(Tier.STANDARD)
class RedissonFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Through library() {
        return Through.REDISSON;
    }
}
