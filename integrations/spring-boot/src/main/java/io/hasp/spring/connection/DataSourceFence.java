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
 * @param locks the settings of the client
 */
record DataSourceFence(DataSource source, PostgresLocks locks) implements Fence {

    @Override
    public void check(Lease lease) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                || !TransactionSynchronizationManager.hasResource(source)) {
            return;
        }
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            PostgresFence.check(connection, lease, locks);
        } catch (SQLException e) {
            throw translated(lease, e);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    private static DataAccessException translated(Lease lease, SQLException e) {
        String task = "check of lock '" + lease.name() + "' before the commit";
        DataAccessException known = new SQLStateSQLExceptionTranslator().translate(task, null, e);
        return known != null ? known : new UncategorizedSQLException(task, null, e);
    }
}
