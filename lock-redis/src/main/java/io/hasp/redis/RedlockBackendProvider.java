package io.hasp.redis;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Finding;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** Opens {@code redlock://}. {@link RedlockConfig} describes the URI. Thread-safe. */
public final class RedlockBackendProvider implements LockBackendProvider {

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public RedlockBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redlock");
    }

    /**
     * Connects to the nodes.
     *
     * @throws IllegalArgumentException if the URI breaks a rule of {@link RedlockConfig}
     * @throws BackendFailure if no majority of the nodes can be reached, or one refuses or may evict locks
     */
    @Override
    public LockBackend open(URI uri, BackendContext context) {
        return source(uri).open(context);
    }

    @Override
    public BackendSource source(URI uri) {
        return RedlockBackend.on(RedlockConfig.of(uri));
    }

    /** Checks each node, and their majority. Writes nothing but a key that is deleted in the same step. */
    @Override
    public List<Finding> diagnose(URI uri, BackendContext context) {
        return Diagnoses.of(RedlockConfig.of(uri), context);
    }
}
