package io.hasp.redis.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;

/** A connected socket of which a whole reply can have a deadline. Used by one thread at a time, closed by any. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // The other socket synchronizes.
final class TimedSocket extends Socket {
    private final Socket socket;
    private final TimedInput in;

    TimedSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new TimedInput(socket);
    }

    /** From now on all reads together take no longer. */
    void within(Duration time) {
        in.within(time);
    }

    /** From now on only the socket's own timeout limits each read. */
    void unlimited(int timeoutMillis) throws SocketException {
        in.unlimited();
        socket.setSoTimeout(timeoutMillis);
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return socket.getOutputStream();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        socket.setSoTimeout(millis);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return socket.getSoTimeout();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    @Override
    public boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public boolean isBound() {
        return socket.isBound();
    }

    @Override
    public boolean isConnected() {
        return socket.isConnected();
    }

    @Override
    public boolean isInputShutdown() {
        return socket.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return socket.isOutputShutdown();
    }

    @Override
    public InetAddress getInetAddress() {
        return socket.getInetAddress();
    }

    @Override
    public int getPort() {
        return socket.getPort();
    }

    @Override
    public int getLocalPort() {
        return socket.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return socket.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return socket.getLocalSocketAddress();
    }

    @Override
    public String toString() {
        return socket.toString();
    }
}
