package io.hasp.guice;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Closes the clients of one injector, the latest opened first. Guice has no shutdown of its own: call {@link #close} where
 * the program stops its services, after those that use locks. Thread-safe.
 */
public final class HaspShutdown implements AutoCloseable {
    private final Deque<LockClient> open = new ArrayDeque<>();
    private boolean closed;

    HaspShutdown() {}

    LockClient open(Supplier<LockClient> connect) {
        requireOpen();
        LockClient client = connect.get();
        synchronized (this) {
            if (!closed) {
                open.push(client);
                return client;
            }
        }
        client.close();
        throw shutDown();
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw shutDown();
        }
    }

    private static IllegalStateException shutDown() {
        return new IllegalStateException("the lock clients of this injector were shut down");
    }

    /**
     * Closes every client that was opened: who waits fails with {@link io.hasp.ClientClosedException}, what is held is
     * released, then connections end. A {@link Locked} method that still runs goes on without its lock, and ends with
     * {@link io.hasp.LeaseLostException}. A client that is asked for later is refused. Blocks for up to five seconds per
     * client. Idempotent.
     */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            if (!open.isEmpty()) {
                open.pop().close();
            }
        } finally {
            if (!open.isEmpty()) {
                close();
            }
        }
    }
}
