package io.hasp.redis.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The only socket of one Jedis connection. Jedis connects again by itself when it finds its socket closed: a subscription that was closed
 * just before it subscribed would never stop listening. Jedis also gives no access to its socket. Thread-safe.
 */
final class SingleUseSocketFactory implements JedisSocketFactory {
    private final JedisSocketFactory sockets;
    private final int timeoutMillis;
    private volatile boolean created;
    private volatile @Nullable TimedSocket socket;
    private volatile @Nullable InputStream in;

    /** One whose handshake, and later each read, takes no longer than the timeout. */
    SingleUseSocketFactory(JedisSocketFactory sockets, int timeoutMillis) {
        this.sockets = sockets;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public Socket createSocket() {
        if (created) {
            throw new JedisConnectionException("the socket was closed");
        }
        created = true;
        Socket connected = sockets.createSocket();
        try {
            in = connected.getInputStream();
            TimedSocket timed = new TimedSocket(connected);
            timed.within(Duration.ofMillis(timeoutMillis));
            socket = timed;
            return timed;
        } catch (IOException e) {
            throw new JedisConnectionException(e); // It was not read yet: it was cut, and is closed.
        }
    }

    /** From now on only the timeout limits each read. */
    void unlimited() {
        TimedSocket connected = socket;
        try {
            if (connected != null) {
                connected.unlimited(timeoutMillis);
            }
        } catch (SocketException e) {
            throw new JedisConnectionException(e);
        }
    }

    /** All reads from now on together take no longer. */
    void waitAtMost(long nanos) {
        TimedSocket connected = socket;
        if (connected != null) {
            connected.within(Duration.ofNanos(nanos));
        }
    }

    /** True if a reply can be read. With TLS false until the first read: nothing is decrypted before. */
    boolean haveReply() {
        InputStream stream = in;
        try {
            return stream != null && stream.available() > 0;
        } catch (IOException e) {
            return true; // The next read finds out.
        }
    }

    /** Ends the socket if there is one; without effect if it has ended. */
    void close() {
        Socket connected = socket;
        if (connected != null) {
            try {
                connected.close();
            } catch (IOException e) {
                // It is of no use any more in any case.
            }
        }
    }
}
