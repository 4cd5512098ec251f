package io.hasp.redis.jedis;

import io.hasp.redis.blocking.AdaptiveSpin;
import java.time.Duration;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;

/** A connection of Jedis that can also check whether a reply has arrived. Used by one thread at a time. */
public final class PollableConnection extends Connection {
    private final SingleUseSocketFactory socket;
    private final AdaptiveSpin spin;

    private PollableConnection(SingleUseSocketFactory socket, JedisClientConfig client, Duration spin) {
        super(socket, client);
        this.socket = socket;
        this.spin = new AdaptiveSpin(spin);
        socket.unlimited();
    }

    /** Connects and authenticates. If that fails, no socket is left open. */
    public static PollableConnection to(JedisSocketFactory sockets, JedisClientConfig client, Duration spin) {
        SingleUseSocketFactory socket = new SingleUseSocketFactory(sockets, client.getSocketTimeoutMillis());
        boolean connected = false;
        try {
            PollableConnection connection = new PollableConnection(socket, client, spin);
            connected = true;
            return connection;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    /** Sends what was not sent yet, and looks for a reply for a moment. The next to read a reply waits for it if need be. */
    void lookForReply() {
        flush();
        spin.finds(socket::haveReply);
    }

    /** All that is read from now on, however many replies, has come by then. */
    void waitAtMost(long nanos) {
        socket.waitAtMost(nanos);
    }

    /** From now on only the client's timeout limits each read. */
    void unlimited() {
        socket.unlimited();
    }

    /** Ends the socket without sending what was not sent yet. */
    void cut() {
        socket.close();
    }
}
