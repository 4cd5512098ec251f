package io.hasp;

/** A listener's registration, such as that of {@link Lease#onChange}. Thread-safe. */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /** Ends the notifications: none begins after this returned; one that runs at the moment is not awaited. Idempotent. */
    @Override
    void close();
}
