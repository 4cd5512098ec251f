package io.hasp.redis.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Reads from a socket until a deadline, however few bytes each read gives: a socket's own timeout begins anew with each. What is there when
 * the reader itself comes late is read, once. Used by one thread at a time.
 */
final class TimedInput extends InputStream {
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Socket socket;
    private final InputStream in;
    private long deadline = System.nanoTime();
    private boolean late;
    private boolean limited = true;

    TimedInput(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /** Reads from now on take no longer than that together. */
    void within(Duration time) {
        deadline = System.nanoTime() + time.toNanos();
        late = false;
        limited = true;
    }

    /** Only the socket's own timeout limits a read from now on. */
    void unlimited() {
        limited = false;
    }

    private void limit() throws IOException {
        if (!limited) {
            return;
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            if (late || in.available() == 0) {
                throw new SocketTimeoutException("Read timed out");
            }
            late = true;
        }
        socket.setSoTimeout((int) Math.max(1, (left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI));
    }

    @Override
    public int read() throws IOException {
        limit();
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        limit();
        return in.read(bytes, offset, length);
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }
}
