package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;
import org.junit.jupiter.api.Nested;

/** The rules of rotated passwords, with each client library. */
class RotatedPasswordTest {
    @Nested
    class Jedis implements RotatedPasswordRules {
        @Override
        public Library library() {
            return Library.JEDIS;
        }
    }

    @Nested
    class Lettuce implements RotatedPasswordRules {
        @Override
        public Library library() {
            return Library.LETTUCE;
        }
    }

    @Nested
    class Redisson implements RotatedPasswordRules {
        @Override
        public Library library() {
            return Library.REDISSON;
        }
    }
}
