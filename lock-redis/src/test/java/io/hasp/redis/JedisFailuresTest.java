package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;

class JedisFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Library library() {
        return Library.JEDIS;
    }
}
