package io.hasp.redis;

import org.junit.jupiter.api.Nested;

/** The rules of rotated passwords, with each client library that a URI names. */
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
