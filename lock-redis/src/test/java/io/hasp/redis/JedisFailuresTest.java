package io.hasp.redis;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;

/** The failure and permission rules, with Jedis. */
@InTier(Tier.STANDARD)
class JedisFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Through library() {
        return Through.JEDIS;
    }
}
