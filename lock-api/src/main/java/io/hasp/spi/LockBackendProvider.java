package io.hasp.spi;

import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * Opens backends for some URI schemes. {@link java.util.ServiceLoader} finds it, so it has a public constructor without arguments and is
 * named in {@code META-INF/services/io.hasp.spi.LockBackendProvider}.
 */
public interface LockBackendProvider {

    /**
     * Returns the URI schemes that this provider serves, in lower case.
     *
     * @return at least one scheme
     */
    Set<String> schemes();

    /**
     * Connects to the service.
     *
     * @param uri the address and the parameters; its scheme is one of {@link #schemes()}
     * @param context clock, scheduler, threads and identity of the client
     * @return a connected backend
     * @throws IllegalArgumentException with the value and the rule, if a part of the URI is unknown or contradictory
     * @throws BackendFailure if the service can't be reached or refuses
     */
    LockBackend open(URI uri, BackendContext context);

    /**
     * Reads a URI without connecting. A provider whose backends can be declared ahead overrides this, so that a wrong URI is refused when
     * the client is created, even if it connects later.
     *
     * @param uri as in {@link #open}
     * @return opens the backend as {@link #open} does; by default without a declaration, and reads the URI when it opens
     * @throws IllegalArgumentException as {@link #open} does
     */
    default BackendSource source(URI uri) {
        return context -> open(uri, context);
    }

    /**
     * Checks a service for an operator: address, version, role, permissions, and whatever may cost a lock. Blocks, for a few seconds at
     * most. Changes nothing that a client would not change. A check that fails for a missing permission is
     * {@link Finding.Level#UNKNOWN}.
     *
     * @param uri as in {@link #open}
     * @param context clock, scheduler, threads and identity of the client
     * @return the findings, in the order of the checks; by default a single unknown one
     * @throws IllegalArgumentException as {@link #open} does
     */
    default List<Finding> diagnose(URI uri, BackendContext context) {
        return List.of(new Finding(
                Finding.Level.UNKNOWN, "service", "the backend for " + uri.getScheme() + ":// has no checks", ""));
    }
}
