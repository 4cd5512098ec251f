package io.hasp.guice;

import io.hasp.LockClient;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes the clients of one injector, the latest opened first. Guice has no shutdown of its own: call {@link #close} where
 * the program stops its services, after those that use locks. Thread-safe.
 */
public final class HaspShutdown implements AutoCloseable {
    private final Deque<LockClient> open = new ArrayDeque<>();
    private boolean closed;

    HaspShutdown() {}

    synchronized LockClient opened(LockClient client) {
        if (closed) {
            client.close();
            throw new IllegalStateException("the lock clients of this injector were shut down");
        }
        open.push(client);
        return client;
    }

    /**
     * Closes every client that was opened: who waits fails, what is held is released, then connections end. A client that
     * is asked for later is refused. Idempotent.
     */
    @Override
    public synchronized void close() {
        closed = true;
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
