package io.hasp.postgres.socket;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the sockets of PostgreSQL's driver. Behind each message of the server the driver looks for another one, by a read with a timeout of
 * one millisecond: so each direct grant would come a millisecond late. These sockets end such a read at once if nothing has arrived. A driver
 * that looks in another way loses nothing but that.
 *
 * <p>Public for the driver, which creates it by its name; not for callers. Thread-safe.
 */
public final class PeekingSocketFactory extends SocketFactory {
    private static final int LOOK_MILLIS = 1;

    /** Creates a factory. */
    public PeekingSocketFactory() {}

    @Override
    public Socket createSocket() {
        return new PeekingSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return createSocket(InetAddress.getByName(host), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return createSocket(host, port, null, 0);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return createSocket(InetAddress.getByName(host), port, local, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, @Nullable InetAddress local, int localPort)
            throws IOException {
        Socket socket = createSocket();
        if (local != null) {
            socket.bind(new InetSocketAddress(local, localPort));
        }
        socket.connect(new InetSocketAddress(host, port));
        return socket;
    }

    private static final class PeekingSocket extends Socket {
        private volatile boolean looks;

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            looks = millis == LOOK_MILLIS;
            super.setSoTimeout(millis);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    look();
                    return in.read();
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    look();
                    return in.read(into, offset, length);
                }

                private void look() throws IOException {
                    if (looks && in.available() == 0) {
                        throw new SocketTimeoutException("nothing has arrived");
                    }
                }
            };
        }
    }
}
