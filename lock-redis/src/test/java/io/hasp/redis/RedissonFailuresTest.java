package io.hasp.redis;

/** The failure and permission rules, with Redisson. */
class RedissonFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Through library() {
        return Through.REDISSON;
    }
}
