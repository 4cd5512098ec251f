package io.hasp;

/** Ends the notifications of a listener, such as that of {@link Lease#onChange}. Thread-safe. */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /** Ends the notifications: none begins after this returned; a running one is not awaited. Idempotent. */
    @Override
    void close();
}
