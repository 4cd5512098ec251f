package io.hasp.postgres;

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

/** Faults of one PostgreSQL server. */
record PostgresFaults(PostgresServer postgres) implements Faults {

    @Override
    public Server server() {
        return postgres;
    }

    @Override
    public void deleteLock(String lock) {
        if (postgres.run("delete from hasp_holder where holder <> '' and name = " + quoted(lock)) == 0) {
            throw new IllegalStateException("there is no holder of '" + lock + "' to delete");
        }
    }

    @Override
    public void loseNotifications() {
        postgres.run(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'hasp listens'");
    }

    /** Holds back all that enters a lock, by a lock of the table. */
    @Override
    public HeldRequests holdWrites(Duration time) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture.runAsync(() -> hold(time, held), task -> new Thread(task, "holds-writes").start());
        held.await();
        return () -> (int) postgres.run(
                "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%hasp%'");
    }

    private void hold(Duration time, CountDownLatch held) {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table hasp_lock in access exclusive mode");
            held.countDown();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            connection.commit();
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int present(String lock) {
        return (int) postgres.run("select (select count(*) from hasp_waiter where name = " + quoted(lock)
                + ") + (select count(*) from hasp_holder where holder <> '' and expires > clock_timestamp() and name = "
                + quoted(lock) + ")");
    }

    /** {@inheritDoc} Here: transactions that write. */
    @Override
    public long received() {
        return postgres.run("select pg_current_xact_id()::text::bigint");
    }

    /** {@inheritDoc} Here: rows. */
    @Override
    public long kept() {
        return postgres.run("select (select count(*) from hasp_lock) + (select count(*) from hasp_holder)"
                + " + (select count(*) from hasp_waiter) + (select count(*) from hasp_fence)"
                + " + (select count(*) from hasp_tombstone)");
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
