package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;

/** The failure and permission rules, with Lettuce. */
class LettuceFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Library library() {
        return Library.LETTUCE;
    }
}
