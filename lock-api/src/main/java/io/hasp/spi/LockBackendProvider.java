package io.hasp.spi;

import java.net.URI;
import java.util.Set;

/**
 * Opens backends for some URI schemes. Found by {@link java.util.ServiceLoader}, so it has a public constructor without
 * arguments and is named in {@code META-INF/services/io.hasp.spi.LockBackendProvider}.
 */
public interface LockBackendProvider {

    /**
     * The URI schemes served, in lower case.
     *
     * @return at least one scheme
     */
    Set<String> schemes();

    /**
     * Connects to the service.
     *
     * @param uri where it is and how to use it; its scheme is one of {@link #schemes()}
     * @param context clock, scheduler, threads and identity of the client
     * @return a connected backend
     * @throws IllegalArgumentException if the URI names something unknown or contradictory: says what, and the rule
     * @throws BackendFailure if the service can't be reached or refuses
     */
    LockBackend open(URI uri, BackendContext context);

    /**
     * Reads a URI without connecting. A provider whose backends can be declared ahead overrides this, so that a wrong URI is refused as
     * the client is made, although it connects later.
     *
     * @param uri as in {@link #open}
     * @return opens the backend as {@link #open} does; by default it is without a declaration, and reads the URI when it opens
     * @throws IllegalArgumentException as {@link #open} does
     */
    default BackendSource source(URI uri) {
        return context -> open(uri, context);
    }
}
