package io.hasp.redis.jedis;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import java.io.IOException;
import java.net.SocketException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Translates Jedis' exceptions. */
final class JedisFailures {
    private JedisFailures() {}

    /** No command was sent: connecting or the handshake failed. */
    static RuntimeException notConnected(String server, RuntimeException thrown) {
        if (thrown instanceof ErrorReplyException) {
            return thrown;
        }
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof BackendFailure failure) {
                return failure;
            }
            if (cause instanceof JedisDataException) {
                return new ErrorReplyException(String.valueOf(cause.getMessage()));
            }
        }
        return RedisFailures.unreachable(server, thrown);
    }

    /** Why a command that was sent got no answer; an end of the stream is a broken socket, for which Jedis has no cause. */
    static Throwable notAnswered(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return thrown;
            }
        }
        if (!(thrown instanceof JedisConnectionException)) {
            return thrown;
        }
        SocketException broken = new SocketException(thrown.getMessage());
        broken.initCause(thrown);
        return broken;
    }
}
