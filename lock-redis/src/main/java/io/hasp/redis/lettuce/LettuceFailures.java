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

/** What Lettuce's exceptions mean. */
final class LettuceFailures {
    /** Its message about a server that ends a connection before Lettuce can use it. */
    private static final String ENDED_AT_ONCE = "RedisHandshakeHandler not registered";

    private LettuceFailures() {}

    static boolean isErrorReply(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof RedisCommandExecutionException;
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
        if (cause instanceof BackendFailure || cause instanceof ErrorReplyException) {
            return (RuntimeException) cause;
        }
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof RedisCommandExecutionException) {
                return new ErrorReplyException(String.valueOf(inner.getMessage()));
            }
        }
        return RedisFailures.unreachable(server, reason(cause, "connecting timed out"));
    }

    /** In terms of sockets, since Lettuce has one exception for whatever ends a connection. */
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
                || String.valueOf(innermost.getMessage()).equals(ENDED_AT_ONCE);
        return ended ? ended(innermost) : cause;
    }

    private static SocketException ended(Throwable cause) {
        SocketException ended = new SocketException("the connection was closed");
        ended.addSuppressed(cause);
        return ended;
    }
}
