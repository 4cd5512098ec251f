package io.hasp.redis;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an error reply means to the engine. A server that refuses before or at the first write has applied nothing, and the
 * scripts check everything before they write; only a permission may be missing in the middle of one.
 */
final class Failures {
    // Servers before 7 put the code of an error inside a script somewhere into the text; so the first one counts.
    private static final Pattern CODE =
            Pattern.compile("\\b(FOREIGN|WRONGTYPE|NOPERM|NOAUTH|WRONGPASS|unauthenticated|LOADING|READONLY|OOM"
                    + "|MISCONF|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MOVED|ASK|CROSSSLOT|unknown command"
                    + "|invalid password|no password is set|without any password configured|max number of clients"
                    + "|The user executing the script|DB index is out of range)\\b");

    private Failures() {}

    static BackendFailure of(String server, String what, Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof BackendFailure failure) {
            return failure;
        }
        if (cause instanceof ServerError error) {
            return refused(server + " refused " + what + ": " + error.reply(), error.reply());
        }
        return silent(server, cause);
    }

    /** Whatever goes wrong before the first request for a lock, no lock was touched. */
    static BackendFailure atConnect(String server, Throwable thrown) {
        BackendFailure failure = of(server, "the connection", thrown);
        return failure.kind() == Kind.UNAVAILABLE && failure.getCause() != null
                ? unreachable(server, failure.getCause())
                : new BackendFailure(
                        failure.kind(), Outcome.NOT_APPLIED, String.valueOf(failure.getMessage()), failure.getCause());
    }

    /** Sent, and no answer. */
    static BackendFailure silent(String server, Throwable cause) {
        return new BackendFailure(
                Kind.UNAVAILABLE, Outcome.UNKNOWN, server + " did not answer: " + reason(cause), cause);
    }

    /** Not sent. */
    static BackendFailure unreachable(String server, Throwable cause) {
        return new BackendFailure(
                Kind.UNAVAILABLE, Outcome.NOT_APPLIED, server + " can't be reached: " + reason(cause), cause);
    }

    /** The innermost message: client libraries wrap "Connection refused" several times. */
    private static String reason(Throwable cause) {
        Throwable inner = cause;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message = inner.getMessage() != null ? inner.getMessage() : inner.toString();
        // Redisson goes on with all it knows about the command.
        int end = message.indexOf(", ");
        return end < 0 ? message : message.substring(0, end);
    }

    private static BackendFailure refused(String message, String reply) {
        Matcher code = CODE.matcher(reply);
        String found = code.find() ? code.group(1) : "";
        return switch (found) {
            case "NOAUTH",
                    "WRONGPASS",
                    "unauthenticated",
                    "invalid password",
                    "no password is set",
                    "without any password configured" -> failure(Kind.DENIED, Outcome.NOT_APPLIED, message);
            case "NOPERM", "The user executing the script" ->
                failure(Kind.DENIED, reply.contains("evalsha") ? Outcome.NOT_APPLIED : Outcome.UNKNOWN, message);
            case "FOREIGN", "WRONGTYPE", "MOVED", "ASK", "CROSSSLOT", "unknown command", "DB index is out of range" ->
                failure(Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, message);
            case "" -> failure(Kind.UNAVAILABLE, Outcome.UNKNOWN, message);
            default -> failure(Kind.UNAVAILABLE, Outcome.NOT_APPLIED, message);
        };
    }

    private static BackendFailure failure(Kind kind, Outcome outcome, String message) {
        return new BackendFailure(kind, outcome, message, null);
    }
}
