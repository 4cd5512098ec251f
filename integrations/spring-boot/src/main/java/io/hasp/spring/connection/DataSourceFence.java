package io.hasp.spring.connection;

import io.hasp.Lease;
import io.hasp.postgres.PostgresFence;
import io.hasp.postgres.PostgresLocks;
import io.hasp.spring.locked.TransactionFences.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Checks leases on the connection of the thread's transaction on a data source. A transaction on another data source, or one that only reads,
 * has no check: it writes nothing into this database.
 *
 * @param source the data source of the application
 * @param own the same without proxies: a transaction manager may use it behind others
 * @param locks the settings of the client
 */
record DataSourceFence(DataSource source, DataSource own, PostgresLocks locks) implements Fence {

    @Override
    public void check(Lease lease) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            return;
        }
        boolean found = false;
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().keySet()) {
            if (resource instanceof DataSource bound && isOwn(bound)) {
                found = true;
                check(lease, bound);
            }
        }
        // The target of a scoped proxy may have been replaced.
        if (!found && TransactionSynchronizationManager.hasResource(source)) {
            check(lease, source);
        }
    }

    private boolean isOwn(DataSource bound) {
        try {
            return bound.equals(source)
                    || bound.equals(own)
                    || (bound.isWrapperFor(own.getClass()) && own.equals(bound.unwrap(own.getClass())));
        } catch (SQLException e) {
            return false;
        }
    }

    private void check(Lease lease, DataSource bound) {
        Connection connection = DataSourceUtils.getConnection(bound);
        try {
            // A transaction on another database keeps connections to this one as well, which commit by themselves.
            if (!connection.getAutoCommit()) {
                PostgresFence.check(connection, lease, locks);
            }
        } catch (SQLException e) {
            throw translated(lease, e);
        } finally {
            DataSourceUtils.releaseConnection(connection, bound);
        }
    }

    private static DataAccessException translated(Lease lease, SQLException e) {
        String task = "check of lock '" + lease.name() + "' before the commit";
        DataAccessException known = new SQLStateSQLExceptionTranslator().translate(task, null, e);
        return known != null ? known : new UncategorizedSQLException(task, null, e);
    }
}
