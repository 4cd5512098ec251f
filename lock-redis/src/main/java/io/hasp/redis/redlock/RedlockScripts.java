package io.hasp.redis.redlock;

import io.hasp.redis.script.LuaScript;

/**
 * The commands of the protocol on each node, {@code .lua} resources whose first lines name their inputs.
 *
 * @param grant phase one: the lock
 * @param token phase two: the fencing token
 * @param renew prolongs grants
 * @param release gives a grant, or a place in the queue, back
 */
public record RedlockScripts(LuaScript grant, LuaScript token, LuaScript renew, LuaScript release) {
    private static final RedlockScripts STANDARD =
            new RedlockScripts(named("grant"), named("token"), named("renew"), named("release"));

    private static LuaScript named(String command) {
        return LuaScript.load("redlock/" + command + ".lua");
    }

    public static RedlockScripts standard() {
        return STANDARD;
    }
}
