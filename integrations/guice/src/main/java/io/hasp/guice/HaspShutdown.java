package io.hasp.guice;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Closes the clients of one injector at the same time. Guice has no shutdown of its own: call {@link #close} when the
 * program stops its services, after those that use locks. Thread-safe.
 */
public final class HaspShutdown implements AutoCloseable {
    private final List<LockClient> open = new ArrayList<>();
    private boolean closed;

    HaspShutdown() {}

    LockClient open(Supplier<LockClient> connect) {
        requireOpen();
        LockClient client = connect.get();
        synchronized (this) {
            if (!closed) {
                open.add(client);
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
     * Closes every opened client, as {@link LockClient#closeAll} does. Waiters fail with
     * {@link io.hasp.ClientClosedException}. The call waits for running {@link Locked} methods, at most for the
     * client's {@code closeWithin}; all clients wait at the same time. A later request for a client is refused.
     * Idempotent; a second call waits for the end of the first one.
     */
    @Override
    public void close() {
        List<LockClient> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(open);
        }
        // Outside the monitor: the work that this waits for may request a client.
        LockClient.closeAll(all, Duration.ZERO);
    }
}
