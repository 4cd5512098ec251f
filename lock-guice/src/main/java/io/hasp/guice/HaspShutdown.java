package io.hasp.guice;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
     * Closes every client that was opened, each as {@link LockClient#close} does: waiters fail with
     * {@link io.hasp.ClientClosedException}, and a {@link Locked} method that still runs is waited for, at most for the client's
     * {@code closeWithin}. A client that is requested later is refused. Idempotent.
     */
    @Override
    public void close() {
        // Not under the monitor: work that is waited for may ask for a client.
        LockClient client = next();
        if (client != null) {
            try {
                client.close();
            } finally {
                close();
            }
        }
    }

    private synchronized @Nullable LockClient next() {
        closed = true;
        return open.poll();
    }
}
