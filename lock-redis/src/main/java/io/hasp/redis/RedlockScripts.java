package io.hasp.redis;

/**
 * The commands of the protocol on each node, {@code .lua} resources whose first lines name their inputs.
 *
 * @param grant phase one: the lock
 * @param token phase two: the fencing token
 * @param renew prolongs grants
 * @param release gives a grant, or a place in the queue, back
 */
record RedlockScripts(ScriptText grant, ScriptText token, ScriptText renew, ScriptText release) {
    private static final RedlockScripts STANDARD =
            new RedlockScripts(named("grant"), named("token"), named("renew"), named("release"));

    private static ScriptText named(String command) {
        return ScriptText.load("redlock/" + command + ".lua");
    }

    static RedlockScripts standard() {
        return STANDARD;
    }
}
