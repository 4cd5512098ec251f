package io.hasp.redis;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import org.junit.jupiter.api.Nested;

/** The rules of rotated passwords, with each client library that a URI names. */
@InTier(Tier.STANDARD)
class RotatedPasswordTest {
    @Nested
    class Jedis implements RotatedPasswordRules {
        @Override
        public Through library() {
            return Through.JEDIS;
        }
    }

    @Nested
    class Lettuce implements RotatedPasswordRules {
        @Override
        public Through library() {
            return Through.LETTUCE;
        }
    }
}
