package io.hasp.postgres;

import io.hasp.Lease;
import io.hasp.LeaseLostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Checks a lease inside a transaction of the application, in the database that has the locks. A transaction that has checked its lease
 * commits before the next holder begins, or not at all. Stateless.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * update(connection, …);
 * PostgresFence.check(connection, lease);
 * connection.commit();
 * }</pre>
 *
 * <p>The check reads one row of the lock {@code for share}, and fails if another holder has begun since. From the check to its end the
 * transaction keeps the next holder out: that one is refused as busy, and asks again. Renewals and releases do not wait for it. A transaction
 * that stays open keeps the next holder out for as long; {@code idle_in_transaction_session_timeout} bounds that. A rollback to a savepoint from
 * before the check ends the check: make it again before the commit. A read-only transaction can't check, and has nothing to protect.
 *
 * <p>It covers what this transaction writes into this database. It does not cover other stores, other transactions, messages that were sent,
 * and what the holder read in an earlier transaction. Two leases of one client on the same grant are covered if both check: the first check of
 * the later lease waits for the transactions of the earlier one, and ends that one's checks. Permits of a semaphore are no exclusion, so a check
 * of a permit fails only if a claim of all permits was granted since.
 */
public final class PostgresFence {
    private PostgresFence() {}

    /**
     * Checks a lease of locks with the default schema and prefix.
     *
     * @param connection in a transaction of any isolation; above READ COMMITTED it begins after the acquisition
     * @param lease of a lock in this database
     * @throws LeaseLostException if the lease was lost, another holder has begun, or the snapshot of the transaction is older
     *     than the lease (isolation above READ COMMITTED); roll back then
     * @throws io.hasp.LeaseReleasedException if the lease was released before
     * @throws IllegalStateException if the connection commits by itself: a check would be over at once
     * @throws SQLException if the check could not be made; roll back then
     */
    public static void check(Connection connection, Lease lease) throws SQLException {
        check(connection, lease, PostgresLocks.defaults());
    }

    /**
     * Checks a lease of locks with another schema or prefix.
     *
     * @param connection as in {@link #check(Connection, Lease)}
     * @param lease as in {@link #check(Connection, Lease)}
     * @param locks the settings of the client of the lease; only schema and prefix count
     * @throws LeaseLostException as {@link #check(Connection, Lease)}
     * @throws SQLException as {@link #check(Connection, Lease)}
     */
    public static void check(Connection connection, Lease lease, PostgresLocks locks) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection commits by itself: a check of lock '" + lease.name()
                    + "' needs a transaction, which begins with setAutoCommit(false)");
        }
        lease.ensureHeld();
        String query = new Schema(locks).sql("select public.hasp_check(?, ?)");
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, lease.name());
            statement.setLong(2, lease.fencingToken());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    throw new LeaseLostException(
                            "lock '" + lease.name() + "' has no holder with token " + lease.fencingToken()
                                    + " in the view of this transaction: another holder has begun since, or the snapshot"
                                    + " of the transaction is older than the lease; roll it back",
                            lease.name(),
                            lease.fencingToken());
                }
            }
        }
    }
}
