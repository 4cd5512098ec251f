package io.hasp.postgres;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Finding;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** Opens {@code postgresql://} and {@code postgres://}. {@link PostgresConfig} describes the URI. Thread-safe. */
public final class PostgresBackendProvider implements LockBackendProvider {

    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public PostgresBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("postgresql", "postgres");
    }

    /**
     * Connects to a database.
     *
     * @throws IllegalArgumentException if the URI breaks a rule of {@link PostgresConfig}
     * @throws BackendFailure if the server can't be reached or refuses, or has no tables of Hasp
     */
    @Override
    public LockBackend open(URI uri, BackendContext context) {
        return source(uri).open(context);
    }

    @Override
    public BackendSource source(URI uri) {
        return PostgresBackend.on(PostgresConfig.of(uri));
    }

    @Override
    public List<Finding> diagnose(URI uri, BackendContext context) {
        return Diagnosis.of(PostgresConfig.of(uri), context);
    }
}
