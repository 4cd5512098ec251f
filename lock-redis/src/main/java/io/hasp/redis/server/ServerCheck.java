package io.hasp.redis.server;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.BackendFailure;
import java.util.List;

/** The check whether a server is fit for locks. A client asks once, when it connects. */
public final class ServerCheck {
    private ServerCheck() {}

    /** Asks a server, and waits for the answer; throws {@link BackendFailure} as {@link #require}. */
    public static void run(ScriptRunner scripts, LockKeys keys, String channel) {
        ScriptCall question = question(keys, channel);
        String answer = scripts.run(LockScript.CHECK, question.keys(), question.arguments())
                .toCompletableFuture()
                .join();
        require(scripts.server(), answer);
    }

    /** The question, of a client that listens on the channel. */
    public static ScriptCall question(LockKeys keys, String channel) {
        return new ScriptCall(LockScript.CHECK.lua(), List.of(keys.unused()), List.of(channel));
    }

    /** Throws {@link BackendFailure} if the answer says that the server would lose locks, or takes none. */
    public static void require(String server, String reply) {
        int bar = reply.indexOf('|');
        String policy = reply.substring(bar + 1);
        if (reply.startsWith("slave")) {
            throw unfit(server + " is a replica, which takes no locks: the role has to be master");
        }
        if (!policy.isEmpty() && !policy.equals("noeviction")) {
            throw unfit(server + " has maxmemory-policy " + policy
                    + ", which may evict a lock while it is held: it must be noeviction");
        }
    }

    private static BackendFailure unfit(String message) {
        return new BackendFailure(BackendFailure.Kind.INCOMPATIBLE, BackendFailure.Outcome.NOT_APPLIED, message, null);
    }
}
