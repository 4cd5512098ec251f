package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ServerCounters;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A PostgreSQL database that the user runs. A comparison writes into a schema of its own.
 *
 * @param endpoint the database and that schema
 */
record GivenPostgres(PostgresEndpoint endpoint) implements GivenService {

    @Override
    public void check() {
        try {
            endpoint.create();
        } catch (SQLException e) {
            throw new BackendRefused(
                    endpoint.address() + " can't be reached, or permits no schema of its own: " + e.getMessage(), e);
        }
    }

    @Override
    public ServerCounters counters() {
        return PostgresCounters.of(endpoint);
    }

    @Override
    public void addVersions(Versions versions) {
        versions.addPostgres(version(endpoint));
    }

    /** Returns {@code unknown} if the server can't be reached. */
    static String version(PostgresEndpoint endpoint) {
        try (Connection connection = endpoint.connect()) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            return "unknown";
        }
    }

    @Override
    public void tidy() throws SQLException {
        endpoint.drop();
    }
}
