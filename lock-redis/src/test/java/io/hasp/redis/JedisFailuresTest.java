package io.hasp.redis;

/** The failure and permission rules, with Jedis. */
class JedisFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Through library() {
        return Through.JEDIS;
    }
}
