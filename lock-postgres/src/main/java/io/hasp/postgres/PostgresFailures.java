package io.hasp.postgres;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Translates exceptions of the driver for the engine. A server that answers with an error has rolled the call back. After any other end of a
 * request that was sent, its outcome is unknown.
 */
final class PostgresFailures {
    private static final String CONNECTION = "08";
    private static final String ENDED_BY_OPERATOR = "57P";
    private static final String PAGE = "; see docs/guarantees/postgres.md";

    private PostgresFailures() {}

    /** The failure to get a connection: nothing was sent. */
    static BackendFailure connecting(String server, String what, SQLException thrown) {
        SQLException cause = deepest(thrown);
        String reason = " can't be reached for the " + what + ": " + firstLine(cause);
        return new BackendFailure(kind(state(cause)), Outcome.NOT_APPLIED, server + reason, thrown);
    }

    /** The failure of a request that was sent. */
    static BackendFailure calling(String server, String what, SQLException thrown, Duration timeout) {
        String state = state(thrown);
        boolean answered = state.length() == 5 && !state.startsWith(CONNECTION) && !state.startsWith(ENDED_BY_OPERATOR);
        if (answered) {
            return new BackendFailure(
                    kind(state),
                    Outcome.NOT_APPLIED,
                    server + " refused the " + what + ": " + firstLine(thrown) + " (" + state + ")" + advice(state),
                    thrown);
        }
        return new BackendFailure(
                Kind.UNAVAILABLE,
                Outcome.UNKNOWN,
                server + " did not answer the " + what + " within " + timeout + ": " + firstLine(thrown),
                thrown);
    }

    /** Returns a failure as possibly applied: the request was sent before. */
    static BackendFailure maybeApplied(BackendFailure failure) {
        return failure.outcome() == Outcome.UNKNOWN
                ? failure
                : new BackendFailure(
                        failure.kind(), Outcome.UNKNOWN, String.valueOf(failure.getMessage()), failure.getCause());
    }

    /** The failure of a release whose first request may have ended the hold. */
    static BackendFailure lostReply(String server, String what) {
        return lostReply(server, what, "the lock is free and may have been lost before");
    }

    /** The failure of a request that was sent twice, and whose second answer may be the effect of the first one. */
    static BackendFailure lostReply(String server, String what, String meaning) {
        return new BackendFailure(
                Kind.UNAVAILABLE,
                Outcome.UNKNOWN,
                server + " ended the connection before its answer to the " + what + "; " + meaning,
                null);
    }

    private static String advice(String state) {
        return switch (state) {
            case "42501" -> PAGE + ", section Privileges";
            case "42883", "42P01", "3F000" -> PAGE + ", section Schema";
            default -> "";
        };
    }

    /** True if the error says that tables or functions are missing. */
    static boolean missing(SQLException thrown) {
        return switch (state(thrown)) {
            case "42883", "42P01", "3F000" -> true;
            default -> false;
        };
    }

    private static Kind kind(String state) {
        if (state.startsWith("28") || state.equals("42501")) {
            return Kind.DENIED;
        }
        boolean fault = state.startsWith("42") || state.startsWith("22") || state.startsWith("3");
        return fault ? Kind.INCOMPATIBLE : Kind.UNAVAILABLE;
    }

    private static String state(SQLException thrown) {
        return thrown.getSQLState() == null ? "" : thrown.getSQLState();
    }

    /** A pool wraps the failure of the latest attempt to connect. */
    private static SQLException deepest(SQLException thrown) {
        SQLException deepest = thrown;
        for (@Nullable Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException inner) {
                deepest = inner;
            }
        }
        return deepest;
    }

    private static String firstLine(SQLException thrown) {
        String text = String.valueOf(thrown.getMessage());
        int end = text.indexOf('\n');
        Throwable cause = thrown.getCause();
        String more = cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
        return (end < 0 ? text : text.substring(0, end)) + more;
    }
}
