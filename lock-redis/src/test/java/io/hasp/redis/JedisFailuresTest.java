package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;

/** The failure and permission rules, with Jedis. */
class JedisFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Library library() {
        return Library.JEDIS;
    }
}
