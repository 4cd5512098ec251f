package io.hasp.evaluation.subject;

import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Faults around a lock that is a row of a table. Waiters leave no trace there, so the suite can't count them.
 *
 * @param postgres the server
 * @param table of all locks of the library
 */
record TableFaults(PostgresServer postgres, String table) implements Faults {

    @Override
    public Server server() {
        return postgres;
    }

    /** Reads are answered in this mode of a table's lock. */
    @Override
    public HeldRequests holdWrites(Duration time) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture.runAsync(() -> hold(time, held), task -> new Thread(task, "holds-writes").start());
        held.await();
        return () -> (int) postgres.run("select count(*) from pg_stat_activity where wait_event_type = 'Lock'");
    }

    private void hold(Duration time, CountDownLatch held) {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table " + table + " in exclusive mode");
            held.countDown();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            connection.commit();
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@inheritDoc} Here: transactions that write. */
    @Override
    public long received() {
        return postgres.run("select pg_current_xact_id()::text::bigint");
    }

    /** {@inheritDoc} Here: rows. */
    @Override
    public long kept() {
        return postgres.run("select count(*) from " + table);
    }
}
