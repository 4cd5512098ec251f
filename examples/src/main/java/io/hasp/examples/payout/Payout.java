package io.hasp.examples.payout;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.postgres.PostgresBackend;
import io.hasp.postgres.PostgresFence;
import io.hasp.postgres.PostgresLocks;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Two instances pay one invoice. Locks and payments are in the same PostgreSQL database. The first instance pauses for longer than its lease,
 * and the second one pays. The first one's transaction fails at its check, right before the commit: nothing is paid twice.
 */
public final class Payout {
    private static final String TABLES =
            "create table if not exists payments (invoice int not null, paid_by text not null)";
    private static final LockOptions ONE_SECOND = LockOptions.defaults().fixedLease(Duration.ofSeconds(1));

    private Payout() {}

    /** A cause for a pause of the program: a garbage collection, a slow disk, a suspended machine. */
    interface Pause {
        void last() throws Exception;
    }

    /**
     * Pays an invoice unless it is paid.
     *
     * @throws LeaseLostException if another holder has begun: nothing was paid
     */
    static void pay(DataSource database, Lease lease, String instance, Pause pause) throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            if (payments(statement) == 0) {
                pause.last();
                statement.executeUpdate("insert into payments values (42, '" + instance + "')");
                PostgresFence.check(connection, lease);
                connection.commit();
            }
        }
    }

    private static long payments(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select count(*) from payments where invoice = 42")) {
            row.next();
            return row.getLong(1);
        }
    }

    /**
     * Lets the first instance stand still until the second one has paid.
     *
     * @param args the JDBC URL of a database, with user and password
     * @throws Exception if the database fails
     */
    public static void main(String[] args) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[0]);
        PostgresLocks locks = PostgresLocks.defaults().create(true);
        try (LockClient first = LockClient.over(PostgresBackend.on(database, locks), ClientOptions.defaults());
                LockClient second = LockClient.over(PostgresBackend.on(database, locks), ClientOptions.defaults());
                Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
            DistributedLock slow = first.lock("invoices/42", ONE_SECOND);
            DistributedLock quick = second.lock("invoices/42", ONE_SECOND);
            try (Lease lease = slow.acquire()) {
                pay(database, lease, "the first instance", () -> {
                    try (Lease next = quick.acquire()) {
                        pay(database, next, "the second instance", () -> {});
                        System.out.println("the second instance has paid");
                    }
                });
            } catch (LeaseLostException e) {
                System.out.println("the first instance was too late: " + e.getMessage());
            }
            System.out.println("payments: " + payments(statement));
        }
    }
}
