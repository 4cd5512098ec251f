package io.hasp.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Jedis' connection, which can also be asked whether a reply is there. Used by one thread at a time. */
final class LaneConnection extends Connection {
    private final Sockets sockets;
    private final Spin spin;

    LaneConnection(HostAndPort address, JedisClientConfig client, Duration spin) {
        this(new Sockets(new DefaultJedisSocketFactory(address, client)), client, spin);
    }

    private LaneConnection(Sockets sockets, JedisClientConfig client, Duration spin) {
        super(sockets, client);
        this.sockets = sockets;
        this.spin = new Spin(spin);
    }

    /** Sends what was not sent yet, and looks for a reply for a moment. The next to read a reply waits for it if need be. */
    void lookForReply() {
        flush();
        spin.finds(sockets::haveReply);
    }

    /** Remembers the socket that Jedis keeps to itself. */
    private static final class Sockets implements JedisSocketFactory {
        private final JedisSocketFactory plain;
        private volatile @Nullable InputStream in;

        Sockets(JedisSocketFactory plain) {
            this.plain = plain;
        }

        @Override
        public Socket createSocket() {
            Socket socket = plain.createSocket();
            try {
                in = socket.getInputStream();
            } catch (IOException e) {
                throw new JedisConnectionException(e); // Nobody has read from it: it was cut, and is closed.
            }
            return socket;
        }

        /** With TLS false until somebody reads: nothing is decrypted before. */
        boolean haveReply() {
            InputStream stream = in;
            try {
                return stream != null && stream.available() > 0;
            } catch (IOException e) {
                return true; // Whoever reads will find out.
            }
        }
    }
}
