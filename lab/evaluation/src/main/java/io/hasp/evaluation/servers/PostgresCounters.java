package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ServerCounters;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The write-ahead log of a PostgreSQL server, which it syncs to disk at each commit. Its statistics of statements lag behind by up to a
 * second, so other figures are missing.
 *
 * @param endpoint the server
 */
record PostgresCounters(PostgresEndpoint endpoint) implements ServerCounters {

    @Override
    public double commands() {
        return Double.NaN;
    }

    @Override
    public double cpuNanos() {
        return Double.NaN;
    }

    @Override
    public double bytes() {
        return Double.NaN;
    }

    @Override
    public double trafficBytes() {
        return Double.NaN;
    }

    @Override
    public double diskBytes() {
        try (Connection connection = endpoint.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")) {
            return row.next() ? row.getDouble(1) : Double.NaN;
        } catch (SQLException e) {
            return Double.NaN;
        }
    }
}
