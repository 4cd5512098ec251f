package io.hasp.redis.lettuce;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/** Translates Lettuce's exceptions. */
final class LettuceFailures {
    /** Its message about a connection that ended before Lettuce could use it. */
    private static final String ENDED_AT_ONCE = "RedisHandshakeHandler not registered";

    /** Its message about one that ended during the handshake. */
    private static final String ENDED_EARLY = "Connection closed prematurely";

    /** An error that a server in protected mode sends before any command. */
    private static final String UNASKED = "DENIED ";

    private LettuceFailures() {}

    static boolean isErrorReply(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof RedisCommandExecutionException;
    }

    /**
     * Lettuce looks into a connection a moment after it began: on a busy machine the handshake has been refused by then, Lettuce has
     * closed the connection, and the reason is gone.
     */
    static boolean isUnexplained(Throwable thrown) {
        for (Throwable inner = thrown; inner != null; inner = inner.getCause()) {
            if (ENDED_AT_ONCE.equals(inner.getMessage()) || ENDED_EARLY.equals(inner.getMessage())) {
                return true;
            }
        }
        return false;
    }

    /** A command failed that may have been sent. */
    static RuntimeException ofCommand(String server, Throwable thrown) {
        Throwable cause = BackendFailure.causeOf(thrown);
        if (cause instanceof RedisCommandExecutionException) {
            return new ErrorReplyException(String.valueOf(cause.getMessage()));
        }
        return RedisFailures.silent(server, reason(cause, "timed out"));
    }

    /** Connecting or the handshake failed, so that no command was sent. */
    static RuntimeException ofConnecting(String server, Throwable thrown) {
        Throwable cause = BackendFailure.causeOf(thrown);
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof BackendFailure || inner instanceof ErrorReplyException) {
                return (RuntimeException) inner;
            }
            boolean unasked = String.valueOf(inner.getMessage()).startsWith(UNASKED);
            if (inner instanceof RedisCommandExecutionException || unasked) {
                return new ErrorReplyException(String.valueOf(inner.getMessage()));
            }
        }
        return RedisFailures.unreachable(server, reason(cause, "connecting timed out"));
    }

    /** The reason in terms of sockets: Lettuce has one exception for all ends of a connection. */
    private static Throwable reason(Throwable cause, String ifLate) {
        Throwable innermost = cause;
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof RedisCommandTimeoutException || inner instanceof TimeoutException) {
                return new SocketTimeoutException(ifLate);
            }
            if (inner instanceof IOException) {
                return cause;
            }
            innermost = inner;
        }
        boolean ended = innermost instanceof RedisException
                || innermost instanceof CancellationException
                || ENDED_AT_ONCE.equals(innermost.getMessage());
        return ended ? ended(innermost) : cause;
    }

    private static SocketException ended(Throwable cause) {
        SocketException ended = new SocketException("the connection was closed");
        ended.addSuppressed(cause);
        return ended;
    }
}
