package io.hasp.spi;

import java.util.Optional;

/** Opens the backend of one client over a connection that the user already has; {@link LockBackendProvider} does the same for a URI. */
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

    /**
     * Returns the properties of the backend before it is opened.
     *
     * @return empty, the default, if the backend can't be declared ahead: then clients that connect lazily are refused
     */
    default Optional<BackendDeclaration> declaration() {
        return Optional.empty();
    }

    /**
     * Returns this source with a declaration, for clients that connect lazily. Then {@link #open} is called again after it has failed, on a
     * thread that is interrupted when the client is closed.
     *
     * @param ahead the least promise of each backend that this source opens
     * @return a source that opens the same backends
     */
    default BackendSource declaring(BackendDeclaration ahead) {
        BackendSource source = this;
        return new BackendSource() {
            @Override
            public LockBackend open(BackendContext context) {
                return source.open(context);
            }

            @Override
            public Optional<BackendDeclaration> declaration() {
                return Optional.of(ahead);
            }
        };
    }
}
