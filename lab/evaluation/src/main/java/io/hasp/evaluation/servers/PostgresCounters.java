package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ProcessorTime;
import io.hasp.evaluation.measure.ServerCounters;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.DoubleSupplier;

/**
 * The processor time of a PostgreSQL server that was started here, and its write-ahead log, which it syncs to disk at each commit. Its
 * statistics of statements lag behind by up to a second and it counts no traffic, so these figures are missing.
 *
 * @param endpoint the server
 * @param processorTime of all its processes so far, in nanoseconds; NaN if they run elsewhere
 */
record PostgresCounters(PostgresEndpoint endpoint, DoubleSupplier processorTime) implements ServerCounters {

    static PostgresCounters of(PostgresEndpoint endpoint) {
        return new PostgresCounters(endpoint, () -> Double.NaN);
    }

    static PostgresCounters of(StartedPostgres started) {
        ProcessorTime time = new ProcessorTime();
        return new PostgresCounters(
                started.endpoint(),
                () -> time.nanosWithDescendants(started.server().pid()));
    }

    @Override
    public double commands() {
        return Double.NaN;
    }

    @Override
    public double cpuNanos() {
        return processorTime.getAsDouble();
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
