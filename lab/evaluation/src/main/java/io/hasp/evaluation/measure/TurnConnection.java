package io.hasp.evaluation.measure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A connection by which two processes of this machine pass the turn to each other. A thread that waits for its turn
 * blocks: spinning would take the processor from the server. The wait can be interrupted. Not thread-safe.
 */
public final class TurnConnection implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SocketChannel channel;
    private final ByteBuffer message = ByteBuffer.allocate(Integer.BYTES);

    private TurnConnection(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Waits for the connection of the other process. Used once. */
    public static final class Listener {
        private final ServerSocketChannel channel;

        private Listener(ServerSocketChannel channel) {
            this.channel = channel;
        }

        /**
         * Opens one.
         *
         * @return it listens on a free port of the loopback interface
         * @throws IOException if there is none
         */
        public static Listener open() throws IOException {
            return new Listener(
                    ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1));
        }

        /**
         * Returns the port that the other process has to connect to.
         *
         * @return the port
         */
        public int port() {
            return channel.socket().getLocalPort();
        }

        /**
         * Waits for the other process, and listens no more.
         *
         * @return the connection, closed by the caller
         * @throws IOException if it does not come
         */
        public TurnConnection accept() throws IOException {
            try (channel) {
                channel.socket().setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
                return new TurnConnection(channel.socket().accept().getChannel());
            }
        }
    }

    /**
     * Connects to the owner.
     *
     * @param port of its listener
     * @return the connection, closed by the caller
     * @throws IOException if there is none
     */
    public static TurnConnection to(int port) throws IOException {
        return new TurnConnection(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    /** Lets the other process use a lock, and waits until it has; false if it is gone. */
    boolean passTo(int lock) throws IOException {
        try {
            send(lock);
            return await().isPresent();
        } catch (java.nio.channels.ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            return false;
        }
    }

    void send(int lock) throws IOException {
        message.clear().putInt(lock).flip();
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    /** The lock whose turn it is; empty if the other process has ended. */
    OptionalInt await() throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of(message.flip().getInt());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
