package io.hasp.redis.server;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LogQueue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The check whether a server is fit for locks. A client has one of these, and asks each server when it connects. A server that hides
 * its policy is trusted, because managed services forbid {@code INFO}; that is logged once. Thread-safe.
 */
public final class ServerCheck {

    private static final int FIELDS = 5;

    /** Null if eviction is accepted. */
    private final @Nullable String remedy;

    private final boolean nodes;
    private final boolean needsMessages;

    /** Why a server sends no messages; empty if all do that were asked. */
    private final AtomicReference<String> withoutMessages = new AtomicReference<>("");

    private final AtomicBoolean mayEvict = new AtomicBoolean();
    private final Set<String> replicationIds = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean warned = new AtomicBoolean();

    private ServerCheck(@Nullable String remedy, boolean nodes, boolean needsMessages) {
        this.remedy = remedy;
        this.nodes = nodes;
        this.needsMessages = needsMessages;
    }

    /** Creates a check that any policy passes. */
    public static ServerCheck acceptingEviction() {
        return new ServerCheck(null, false, true);
    }

    /** Creates a check that refuses servers which evict keys; {@code remedy} is the advice in the message. */
    public static ServerCheck refusingEviction(String remedy) {
        return new ServerCheck(remedy, false, true);
    }

    /** Returns this check for servers that may be nodes of a cluster. */
    public ServerCheck ofNodes() {
        return new ServerCheck(remedy, true, needsMessages);
    }

    /** Returns this check for clients that can do without messages. */
    public ServerCheck withoutMessages() {
        return new ServerCheck(remedy, nodes, false);
    }

    /**
     * The server refused a command that messages take. Throws the refusal if messages are needed, or if it is about the name of the
     * channel: then the permission for channels is missing, and the commands are allowed.
     */
    public void messagesRefused(ErrorReplyException refusal) {
        String reply = String.valueOf(refusal.getMessage());
        if (needsMessages || !RedisFailures.refusesMessages(reply)) {
            throw refusal;
        }
        withoutMessages.compareAndSet("", reply);
    }

    /** Returns the reason why a checked server sends no messages; empty if there is none. */
    public String refusalOfMessages() {
        return String.valueOf(withoutMessages.get());
    }

    /** Asks the server of a hash tag, and waits for the answer; throws {@link BackendFailure} as {@link #require}. */
    public void run(ScriptRunner scripts, LockKeys keys, String hashTag, String channel) {
        ScriptCall question = question(keys, hashTag, channel);
        String answer = scripts.run(LockScript.CHECK, question.keys(), question.arguments())
                .toCompletableFuture()
                .join();
        require(scripts.server(), answer);
    }

    /** The question, of a client that listens on the channel; an empty one does without messages. */
    public static ScriptCall question(LockKeys keys, String hashTag, String channel) {
        return new ScriptCall(LockScript.CHECK.lua(), List.of(keys.unused(hashTag)), List.of(channel));
    }

    /** Throws {@link BackendFailure} if the answer says that the server takes no locks, or would evict them unaccepted. */
    public void require(String server, String reply) {
        String[] parts = reply.split("\\|", FIELDS);
        String policy = parts[1];
        if (parts[2].equals("1") && !nodes) {
            throw unfit(server + " is a node of a cluster: the scheme for a cluster is redis-cluster");
        }
        if (parts[0].equals("slave")) {
            throw unfit(server + " is a replica, which takes no locks: the role has to be master");
        }
        if (!parts[4].isEmpty()) {
            messagesRefused(new ErrorReplyException(parts[4]));
        }
        if (!parts[3].isEmpty()) {
            replicationIds.add(parts[3]);
        }
        if (policy.equals("noeviction")) {
            return;
        }
        if (!policy.isEmpty() && remedy != null) {
            throw unfit(server + " has maxmemory-policy " + policy + ", which may evict a lock while it is held: "
                    + remedy);
        }
        mayEvict.set(true);
        if (remedy != null && warned.compareAndSet(false, true)) {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    server
                            + " does not show its maxmemory-policy: see to it that it is noeviction,"
                            + " because any other may evict a lock while it is held");
        }
    }

    /** True if a server that was asked evicts keys, or hides its policy. */
    public boolean mayEvict() {
        return mayEvict.get();
    }

    /** Returns the ids of the checked servers that show one: a master has the id of its replicas. */
    public Set<String> replicationIds() {
        return Set.copyOf(replicationIds);
    }

    private static BackendFailure unfit(String message) {
        return new BackendFailure(BackendFailure.Kind.INCOMPATIBLE, BackendFailure.Outcome.NOT_APPLIED, message, null);
    }
}
