package io.hasp.redis.jedis;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A real socket on which one step fails with an {@link Error}: connecting, writing, looking, reading a few bytes, closing. */
public final class FaultySocket extends Socket {
    /** Few, so that the error also comes in the middle of a reply. */
    private static final int BYTES_AT_ONCE = 3;

    private final Steps steps;

    private FaultySocket(Steps steps) {
        this.steps = steps;
    }

    /** Counts the steps of all sockets of one client, and says which of them fails. Thread-safe. */
    public static final class Steps {
        private final AtomicInteger left = new AtomicInteger();
        private final AtomicInteger errors = new AtomicInteger();
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private volatile IntSupplier next = () -> 0;

        /** The n-th step from now on fails. */
        public void failAt(int n) {
            left.set(n);
        }

        /** From now on steps fail at random, one in {@code most / 2} on average. */
        public void failAtRandom(long seed, int most) {
            Random random = new Random(seed);
            next = () -> random.nextInt(1, most);
            left.set(next.getAsInt());
        }

        /** From now on nothing fails; true if something would have. */
        public boolean heal() {
            next = () -> 0;
            return left.getAndSet(0) > 0;
        }

        public int errors() {
            return errors.get();
        }

        public int open() {
            return opened.get() - closed.get();
        }

        private void step() {
            if (left.get() > 0 && left.decrementAndGet() == 0) {
                left.set(next.getAsInt());
                throw errors.incrementAndGet() % 2 == 0
                        ? new OutOfMemoryError("injected")
                        : new StackOverflowError("injected");
            }
        }

        public JedisSocketFactory sockets(int port, int timeoutMillis) {
            return () -> {
                step();
                FaultySocket socket = new FaultySocket(this);
                try {
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
                    socket.setUp(timeoutMillis);
                } catch (IOException e) {
                    throw new JedisConnectionException(e);
                }
                opened.incrementAndGet();
                return socket;
            };
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                steps.step();
                int read = in.read(bytes, offset, Math.min(length, BYTES_AT_ONCE));
                steps.step();
                return read;
            }

            @Override
            public int available() throws IOException {
                steps.step();
                return in.available();
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new FilterOutputStream(super.getOutputStream()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                steps.step();
                out.write(bytes, offset, length / 2);
                steps.step();
                out.write(bytes, offset + length / 2, length - length / 2);
                steps.step();
            }
        };
    }

    private void setUp(int timeoutMillis) throws SocketException {
        setTcpNoDelay(true);
        super.setSoTimeout(timeoutMillis);
    }

    @Override
    public synchronized void setSoTimeout(int millis) throws SocketException {
        steps.step();
        super.setSoTimeout(millis);
    }

    @Override
    public synchronized void close() throws IOException {
        if (!isClosed()) {
            super.close();
            steps.closed.incrementAndGet();
            steps.step();
        }
    }
}
