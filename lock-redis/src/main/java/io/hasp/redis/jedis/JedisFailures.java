package io.hasp.redis.jedis;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import redis.clients.jedis.exceptions.JedisDataException;

/** What Jedis' exceptions mean. */
final class JedisFailures {
    private JedisFailures() {}

    /** No command was sent: connecting or the handshake failed. */
    static RuntimeException notConnected(String server, RuntimeException thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof JedisDataException) {
                return new ErrorReplyException(String.valueOf(cause.getMessage()));
            }
        }
        return RedisFailures.unreachable(server, thrown);
    }
}
