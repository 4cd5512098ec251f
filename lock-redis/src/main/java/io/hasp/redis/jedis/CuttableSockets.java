package io.hasp.redis.jedis;

import java.io.IOException;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import redis.clients.jedis.JedisSocketFactory;

/** Sockets that can be ended all at once, also while they wait for the first answer of a server that stands still. Thread-safe. */
final class CuttableSockets implements JedisSocketFactory {
    private final JedisSocketFactory sockets;
    private final Queue<Socket> made = new ConcurrentLinkedQueue<>();

    CuttableSockets(JedisSocketFactory sockets) {
        this.sockets = sockets;
    }

    @Override
    public Socket createSocket() {
        made.removeIf(Socket::isClosed);
        Socket socket = sockets.createSocket();
        made.add(socket);
        return socket;
    }

    void cut() {
        for (Socket socket : made) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use any more in any case.
            }
        }
    }
}
