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

/**
 * Opens {@code redis://}, {@code redis-sentinel://} and {@code redis-cluster://}, and their variants over TLS ({@code rediss://} and so
 * on). {@link RedisConfig} describes the URI. Thread-safe.
 */
public final class RedisBackendProvider implements LockBackendProvider {

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public RedisBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster");
    }

    /**
     * Connects to one Redis server, to the master that sentinels name, or to a cluster.
     *
     * @throws IllegalArgumentException if the URI breaks a rule of {@link RedisConfig}, or names a client library that is not
     *     on the class path
     * @throws BackendFailure if the server can't be reached, refuses, or may evict locks
     */
    @Override
    public LockBackend open(URI uri, BackendContext context) {
        return source(uri).open(context);
    }

    @Override
    public BackendSource source(URI uri) {
        return RedisBackend.on(RedisConfig.of(uri));
    }

    /** Checks the server, or each master. Writes nothing but a key that is deleted in the same step. */
    @Override
    public List<Finding> diagnose(URI uri, BackendContext context) {
        return Diagnoses.of(RedisConfig.of(uri), context);
    }
}
