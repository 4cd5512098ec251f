package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;

class RedissonFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Library library() {
        return Library.REDISSON;
    }
}
