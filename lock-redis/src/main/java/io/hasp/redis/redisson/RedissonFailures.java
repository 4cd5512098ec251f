package io.hasp.redis.redisson;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import java.util.Optional;
import org.redisson.client.RedisAskException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisMovedException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisTimeoutException;

/** Translates Redisson's exceptions. */
final class RedissonFailures {
    private static final String NOISE = ". channel: ";

    private RedissonFailures() {}

    /** A command failed that may have been sent. */
    static RuntimeException ofCommand(String server, Throwable thrown) {
        Throwable cause = BackendFailure.causeOf(thrown);
        return known(cause).orElseGet(() -> RedisFailures.silent(server, cause));
    }

    /** Connecting or the handshake failed, so that no command was sent. */
    static RuntimeException ofConnecting(String server, Throwable thrown) {
        Throwable cause = BackendFailure.causeOf(thrown);
        return known(cause).orElseGet(() -> RedisFailures.unreachable(server, cause));
    }

    /** One of ours, of the credentials for a connection, or what the server replied. */
    private static Optional<RuntimeException> known(Throwable cause) {
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof BackendFailure failure) {
                return Optional.of(failure);
            }
        }
        return reply(cause).map(error -> error);
    }

    static boolean isErrorReply(Throwable thrown) {
        return reply(BackendFailure.causeOf(thrown)).isPresent();
    }

    /**
     * Redisson has a class for some error replies, and puts what it was doing behind the text of all of them. What has a cause
     * is no reply: "Unexpected exception while processing command" wraps a connection that is refused.
     */
    private static Optional<ErrorReplyException> reply(Throwable cause) {
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof ErrorReplyException error) {
                return Optional.of(error);
            }
            boolean silence = inner instanceof RedisTimeoutException || inner instanceof RedisConnectionException;
            if (inner instanceof RedisException known && !silence && inner.getCause() == null) {
                return Optional.of(new ErrorReplyException(text(known)));
            }
        }
        return Optional.empty();
    }

    private static String text(RedisException error) {
        if (error instanceof RedisMovedException moved) {
            return redirection("MOVED", String.valueOf(moved.getUrl()));
        }
        if (error instanceof RedisAskException ask) {
            return redirection("ASK", String.valueOf(ask.getUrl()));
        }
        String text = String.valueOf(error.getMessage());
        int noise = text.indexOf(NOISE);
        String reply = noise < 0 ? text : text.substring(0, noise);
        return error instanceof RedisOutOfMemoryException ? "OOM " + reply : reply;
    }

    /**
     * The redirection in the server's words, without the slot: the type of its number differs between Redisson 3 and 4, and it is not
     * needed.
     */
    private static String redirection(String word, String address) {
        return word + " 0 " + address.substring(address.indexOf("://") + "://".length());
    }
}
