package io.hasp.redis.script;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Share;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates error replies for the engine. A server that refuses before or at the first write has applied nothing, and the
 * scripts check everything before they write; only a permission may be missing in the middle of one.
 */
public final class RedisFailures {
    /** In the words of Jedis, for a server before version 6. */
    private static final String OLD = "does not support HELLO";

    // Servers before 7 put the code of an error inside a script somewhere into the text; so the first one counts.
    private static final Pattern CODE = Pattern.compile(
            "\\b(FOREIGN|DENIED Redis is running in protected mode|KIND|WRONGTYPE|NOPERM|NOAUTH|WRONGPASS|unauthenticated|LOADING|READONLY|OOM"
                    + "|MISCONF|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MOVED|ASK|CROSSSLOT|unknown command|"
                    + OLD
                    + "|cluster support disabled"
                    + "|invalid password|no password is set|without any password configured|max number of clients"
                    + "|The user executing the script|DB index is out of range)\\b");

    private static final Set<String> OTHER_SERVER = Set.of("READONLY", "LOADING", "MOVED", "MASTERDOWN", "NOREPLICAS");

    /** In the texts of servers before and since version 7, of the call as a whole. */
    private static final Pattern ONE_KEY = Pattern.compile("NOPERM.*\\bkeys?\\b");

    /** The last two numbers: the key, which stands before them, may look alike. */
    private static final Pattern CAPACITIES =
            Pattern.compile(".*has capacity (\\d{1,7}), not (\\d{1,7})", Pattern.DOTALL);

    /** In the words for a server that sentinels name. */
    private static final String SENTINEL = "-sentinel://";

    private static final Set<String> OF_CLUSTERS = Set.of("MOVED", "ASK", "CROSSSLOT", "TRYAGAIN", "CLUSTERDOWN");

    private static final Set<String> OF_MOVING_SLOTS = Set.of("ASK", "TRYAGAIN");

    private static final Set<String> ELSEWHERE = Set.of("MOVED", "ASK", "TRYAGAIN");

    /** In the words for a cluster. */
    private static final String CLUSTER = "-cluster://";

    private static final String CLUSTER_SCHEME = "; it is a node of a cluster, for which the scheme is redis-cluster";

    private static final String SCHEME = "; if it is a sentinel, the scheme is redis-sentinel, with ?sentinelMasterId=";

    /** Before the arguments of a command that the server does not know. */
    private static final String NOISE = ", with args beginning with";

    private static final String TOO_MANY = "max number of clients";
    private static final String PROTECTED = "DENIED Redis is running in protected mode";

    /** A whole page, for the administrator of the server. */
    private static final String ADVICE = " If you want to connect";

    private static final String LOST_REPLY =
            "the connection ended before the answer to a release; the lock is free and may have been lost before";

    private RedisFailures() {}

    public static BackendFailure of(String server, String what, Throwable thrown) {
        Throwable cause = BackendFailure.causeOf(thrown);
        if (cause instanceof BackendFailure failure) {
            return failure;
        }
        if (cause instanceof ErrorReplyException error) {
            boolean node = OF_CLUSTERS.contains(code(error.reply())) && !server.contains(CLUSTER);
            BackendFailure failure = refused(
                    server + " refused " + what + ": " + words(error.reply()) + (node ? CLUSTER_SCHEME : ""),
                    error.reply());
            return error.sentBefore() ? maybeApplied(failure) : failure;
        }
        return silent(server, cause);
    }

    /** The failure of a request that had been sent before, perhaps with effect. */
    public static RuntimeException sentBefore(Throwable thrown) {
        Throwable cause = BackendFailure.causeOf(thrown);
        if (cause instanceof ErrorReplyException error) {
            return new ErrorReplyException(error.reply(), true);
        }
        return cause instanceof BackendFailure failure ? maybeApplied(failure) : new CompletionException(cause);
    }

    /** Returns a failure as possibly applied, because the holder may have another request under way. */
    public static BackendFailure maybeApplied(BackendFailure failure) {
        return failure.outcome() == Outcome.UNKNOWN
                ? failure
                : new BackendFailure(
                        failure.kind(), Outcome.UNKNOWN, String.valueOf(failure.getMessage()), failure.getCause());
    }

    /** Returns true if the server does not have the script of the digest. */
    public static boolean unknownScript(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof ErrorReplyException error
                && error.reply().startsWith("NOSCRIPT");
    }

    /** Returns true if the server can't write, or has moved the key: the address may lead to another server by now. */
    public static boolean otherServer(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof ErrorReplyException error
                && OTHER_SERVER.contains(code(error.reply()));
    }

    /** Returns true if a slot of a cluster is being moved, and the keys of the call are not all at one master. */
    public static boolean ofMovingSlot(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof ErrorReplyException error
                && OF_MOVING_SLOTS.contains(code(error.reply()));
    }

    /** Returns true if the slot of the keys is at another master, or is being moved. */
    public static boolean ofOneSlot(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof ErrorReplyException error
                && ELSEWHERE.contains(code(error.reply()));
    }

    /** Returns true if the user may not touch one of the keys of a call; no key was touched. */
    public static boolean ofOneKey(Throwable thrown) {
        return ONE_KEY.matcher(String.valueOf(BackendFailure.causeOf(thrown).getMessage()))
                .find();
    }

    /**
     * Returns true if a socket turned out to be closed before the time for an answer was over. A socket that was never connected does not
     * count.
     */
    public static boolean cutOff(Throwable thrown) {
        Throwable failed = BackendFailure.causeOf(thrown);
        if (failed instanceof BackendFailure failure && failure.outcome() == Outcome.NOT_APPLIED) {
            return false;
        }
        boolean broken = false;
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return false;
            }
            broken |= cause instanceof IOException;
        }
        return broken;
    }

    /** Returns a failure before the first request for a lock: no lock was touched. */
    public static BackendFailure atConnect(String server, Throwable thrown) {
        BackendFailure failure = of(server, "the connection", thrown);
        Throwable cause = failure.getCause();
        String message = cause == null
                        || failure.kind() != Kind.UNAVAILABLE
                        || server.contains(SENTINEL)
                        || server.contains(CLUSTER)
                ? failure.getMessage() + scriptless(server, String.valueOf(failure.getMessage()))
                : unreachable(server, connecting(cause)).getMessage() + hint(server, cause);
        return new BackendFailure(failure.kind(), Outcome.NOT_APPLIED, message, cause);
    }

    private static String scriptless(String server, String message) {
        boolean says =
                !code(message).equals("unknown command") || server.contains(SENTINEL) || message.endsWith(SCHEME);
        return says ? "" : SCHEME;
    }

    /** Returns the failure of a sentinel that did not give the address of the master. */
    public static BackendFailure ofSentinel(String sentinel, Throwable thrown) {
        if (BackendFailure.causeOf(thrown) instanceof ErrorReplyException error) {
            String reply = error.reply();
            if (reply.contains("No such master")) {
                return failure(
                        Kind.INCOMPATIBLE,
                        Outcome.NOT_APPLIED,
                        sentinel + " knows no master of that name (sentinelMasterId)");
            }
            String why = code(reply).equals("unknown command") ? " is no sentinel: " : " refused the question: ";
            return refused(sentinel + why + words(reply), reply);
        }
        return of(sentinel, "the question", thrown);
    }

    /** Returns the failure of a cluster node that did not give the map of the slots. */
    public static BackendFailure ofNode(String node, Throwable thrown) {
        if (BackendFailure.causeOf(thrown) instanceof ErrorReplyException error) {
            String reply = error.reply();
            return switch (code(reply)) {
                case "cluster support disabled" ->
                    refused(node + " is a server without a cluster, for which the scheme is redis", reply);
                case "unknown command" -> refused(node + " is no node of a cluster: " + words(reply) + SCHEME, reply);
                default -> refused(node + " refused the question where the slots are: " + words(reply), reply);
            };
        }
        return of(node, "the question", thrown);
    }

    /** Two clocks bound a connection, the caller's and the socket's: a silent server looks the same by either. */
    private static Throwable connecting(Throwable cause) {
        for (Throwable inner = cause; inner != null; inner = below(inner)) {
            if (inner instanceof SocketTimeoutException) {
                return new SocketTimeoutException("connecting timed out");
            }
        }
        return cause;
    }

    /** A server that does not speak TLS waits for more, or closes the socket, and neither says why. */
    private static String hint(String server, Throwable thrown) {
        boolean silent = false;
        for (Throwable cause = thrown; cause != null; cause = below(cause)) {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof GeneralSecurityException) {
                return "";
            }
            silent |= cause instanceof SocketTimeoutException;
        }
        if (server.startsWith("rediss:")) {
            return "; if this port does not speak TLS, the scheme is redis";
        }
        return silent ? "" : "; if this port speaks TLS, the scheme is rediss";
    }

    /** Returns the failure of a request that was sent and not answered. */
    public static BackendFailure silent(String server, Throwable cause) {
        return new BackendFailure(
                Kind.UNAVAILABLE, Outcome.UNKNOWN, server + " did not answer: " + reason(cause), cause);
    }

    /** A release was sent twice, and only the second was answered, with NOT_HELD. */
    public static BackendFailure lostReleaseReply(String server) {
        return silent(server, new SocketException(LOST_REPLY));
    }

    /**
     * The error reply to a command for messages says that the server takes no such command: it is forbidden, unknown, or not for keys of
     * other slots. A channel that is forbidden is none of these.
     */
    public static boolean refusesMessages(String reply) {
        return switch (code(reply)) {
            case "NOPERM", "The user executing the script" -> !reply.contains("channel");
            case "unknown command", "CROSSSLOT", "MOVED", "ASK" -> true;
            default -> reply.contains("non local key") || reply.contains("not allowed from script");
        };
    }

    /** True if the server closes the connection after this reply. */
    public static boolean endsConnection(String reply) {
        String code = code(reply);
        return code.equals(PROTECTED) || code.equals(TOO_MANY);
    }

    /** Returns the failure of a request that was not sent. */
    public static BackendFailure unreachable(String server, Throwable cause) {
        return new BackendFailure(
                Kind.UNAVAILABLE, Outcome.NOT_APPLIED, server + " can't be reached: " + reason(cause), cause);
    }

    /** The innermost message: client libraries wrap "Connection refused" several times. */
    private static String reason(Throwable cause) {
        Throwable inner = cause;
        // Below the name may be how the resolver of a library failed, which does not repeat it.
        for (Throwable next = below(inner);
                next != null && !(inner instanceof UnknownHostException);
                next = below(inner)) {
            inner = next;
        }
        if (inner instanceof UnknownHostException) {
            return "unknown host " + inner.getMessage();
        }
        if (inner instanceof ClosedChannelException) {
            return "the connection was closed";
        }
        String message = inner.getMessage() != null ? inner.getMessage() : inner.toString();
        // Redisson goes on with all it knows about the command.
        int end = message.indexOf(", ");
        return end < 0 ? message : message.substring(0, end);
    }

    /** Jedis keeps the failures of the addresses that it tried beside its own. */
    private static @Nullable Throwable below(Throwable failure) {
        Throwable[] beside = failure.getSuppressed();
        return failure.getCause() != null || beside.length == 0 ? failure.getCause() : beside[0];
    }

    private static BackendFailure refused(String message, String reply) {
        return switch (code(reply)) {
            case PROTECTED,
                    "NOAUTH",
                    "WRONGPASS",
                    "unauthenticated",
                    "invalid password",
                    "no password is set",
                    "without any password configured" -> failure(Kind.DENIED, Outcome.NOT_APPLIED, message);
            case "NOPERM", "The user executing the script" ->
                failure(Kind.DENIED, reply.contains("evalsha") ? Outcome.NOT_APPLIED : Outcome.UNKNOWN, message);
            case "KIND" -> failure(Kind.OTHER_KIND, Outcome.NOT_APPLIED, message);
            case "FOREIGN",
                    "WRONGTYPE",
                    "MOVED",
                    "ASK",
                    "CROSSSLOT",
                    "unknown command",
                    "DB index is out of range",
                    "cluster support disabled",
                    OLD -> failure(Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, message);
            case "" -> failure(Kind.UNAVAILABLE, Outcome.UNKNOWN, message);
            default -> failure(Kind.UNAVAILABLE, Outcome.NOT_APPLIED, message);
        };
    }

    private static String words(String reply) {
        Matcher capacities = CAPACITIES.matcher(reply);
        if (code(reply).equals(PROTECTED) && reply.contains(ADVICE)) {
            return reply.substring(0, reply.indexOf(ADVICE));
        }
        if (code(reply).equals(OLD)) {
            return reply + ": locks need Redis of version 6 or later";
        }
        return code(reply).equals("KIND") && capacities.lookingAt()
                ? "it is " + kind(capacities.group(1)) + " at present, not " + kind(capacities.group(2))
                : reply.contains(NOISE) ? reply.substring(0, reply.indexOf(NOISE)) : reply;
    }

    private static String kind(String capacity) {
        return Share.kindOf(Integer.parseInt(capacity));
    }

    private static String code(String reply) {
        Matcher code = CODE.matcher(reply);
        return code.find() ? code.group(1) : "";
    }

    private static BackendFailure failure(Kind kind, Outcome outcome, String message) {
        return new BackendFailure(kind, outcome, message, null);
    }
}
