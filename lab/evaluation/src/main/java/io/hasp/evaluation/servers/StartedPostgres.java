package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.PostgresServer;
import java.sql.SQLException;

/**
 * A PostgreSQL server that was started, with the schema of a comparison. It syncs each commit to disk.
 *
 * @param server the process
 */
record StartedPostgres(PostgresServer server) implements AutoCloseable {

    static StartedPostgres start() {
        PostgresServer server = PostgresServer.startOnDisk();
        StartedPostgres started = new StartedPostgres(server);
        try {
            started.endpoint().create();
            return started;
        } catch (SQLException e) {
            server.close();
            throw new IllegalStateException("the schema of the comparison could not be created", e);
        }
    }

    String address() {
        return "127.0.0.1:" + server.port();
    }

    PostgresEndpoint endpoint() {
        return PostgresEndpoint.of(uri(address()));
    }

    /** The URI for clients that reach it at an address. */
    static String uri(String address) {
        return "postgresql://postgres:postgres@" + address + "/postgres?" + parameters(Environment.SCOPE);
    }

    /** Of a schema that belongs to one comparison. */
    static String parameters(String scope) {
        return "schema=create&schemaName=" + scope.replace('-', '_');
    }

    @Override
    public void close() {
        server.close();
    }
}
