package io.hasp.spi;

/**
 * Makes the backend of one client from a connection that the user already has: what {@link LockBackendProvider} is for a
 * URI.
 */
@FunctionalInterface
public interface BackendSource {

    /**
     * Opens the backend.
     *
     * @param context clock, scheduler, threads and identity of the client
     * @return a connected backend
     * @throws BackendFailure if the service can't be reached or refuses
     */
    LockBackend open(BackendContext context);
}
