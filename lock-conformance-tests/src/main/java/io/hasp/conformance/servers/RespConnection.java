package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Redis client reduced to a socket and two buffers: one write and (mostly) one read per command, no other thread. It
 * is the baseline for the measurement of client libraries, and tests use it to inspect a server independently of a
 * lock.
 *
 * <p>Replies are {@link String} (simple and bulk strings, as UTF-8), {@link Long}, {@link List} of replies, or null; an
 * error reply is thrown as {@link RespError}. After any {@link IOException}, including a timeout, the connection is
 * closed: a late reply would answer the next command. Not thread-safe.
 */
public final class RespConnection implements AutoCloseable {
    private final Socket socket;
    private final RespWriter out;
    private final RespReader in;
    private Duration spin = Duration.ZERO;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.out = new RespWriter(socket.getOutputStream());
        this.in = new RespReader(socket.getInputStream());
    }

    /**
     * Opens a connection.
     *
     * @param host the server
     * @param port the server's port
     * @param timeout for the connection, and for each reply; zero waits without a limit
     * @return an open connection
     * @throws IOException if no server answers
     */
    public static RespConnection open(String host, int port, Duration timeout) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
            RespConnection connection = new RespConnection(socket);
            connection.timeout(timeout);
            return connection;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Changes the time limit for replies.
     *
     * @param timeout zero waits without a limit
     * @throws IOException if the connection is closed
     */
    public void timeout(Duration timeout) throws IOException {
        socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
    }

    /**
     * Changes the time for which a caller polls for a reply before its thread blocks.
     *
     * @param time zero, the default, blocks at once
     */
    public void spin(Duration time) {
        spin = time;
    }

    /**
     * Sends a command and waits for its reply.
     *
     * @param args the command and its arguments
     * @return the reply
     * @throws IOException if the connection fails or the reply takes too long
     * @throws RespError if the server refuses
     */
    public @Nullable Object command(String... args) throws IOException {
        send(args);
        return receive();
    }

    /**
     * {@link #command} for a reply that is an integer.
     *
     * @param args the command and its arguments
     * @return the integer
     * @throws IOException as {@link #command}, and for another type of reply
     */
    public long integer(String... args) throws IOException {
        Object reply = command(args);
        if (reply instanceof Long number) {
            return number;
        }
        throw new IOException(args[0] + " answered " + reply + ", not an integer");
    }

    /**
     * {@link #command} for a reply that is a string or nothing.
     *
     * @param args the command and its arguments
     * @return the string, null for the nil reply
     * @throws IOException as {@link #command}, and for another type of reply
     */
    public @Nullable String text(String... args) throws IOException {
        Object reply = command(args);
        if (reply == null || reply instanceof String) {
            return (String) reply;
        }
        throw new IOException(args[0] + " answered " + reply + ", not a string");
    }

    /**
     * Sends a command without waiting; {@link #receive} brings the replies in order.
     *
     * @param args the command and its arguments
     * @throws IOException if the connection fails
     */
    public void send(String... args) throws IOException {
        try {
            out.send(args);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Waits for the next reply, or the next message of a subscription.
     *
     * @return the reply
     * @throws IOException if the connection fails or the reply takes too long
     * @throws RespError if the server refuses
     */
    public @Nullable Object receive() throws IOException {
        Object reply;
        try {
            look();
            reply = in.next();
        } catch (IOException e) {
            close();
            throw e;
        }
        if (reply instanceof RespError error) {
            throw error;
        }
        return reply;
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy here; nothing relies on it.
    private void look() throws IOException {
        long start = System.nanoTime();
        InputStream replies = socket.getInputStream();
        while (System.nanoTime() - start < spin.toNanos() && replies.available() == 0) {
            Thread.yield();
        }
    }

    /** Closes the connection. Idempotent; may be called by another thread, whose blocked call then fails. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // There is nothing left to do for a socket that can't even be closed.
        }
    }
}
