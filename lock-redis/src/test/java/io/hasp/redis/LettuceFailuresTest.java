package io.hasp.redis;

/** The failure and permission rules, with Lettuce. */
class LettuceFailuresTest implements FailureRules, PermissionRules {
    @Override
    public Through library() {
        return Through.LETTUCE;
    }
}
