package io.hasp.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The settings that a connection had when a data source lent it. The data source may be a pool that does not reset them. Immutable.
 *
 * @param statementTimeout empty if it is not changed, as behind a pooler
 */
record LentSettings(String statementTimeout, boolean autoCommit, int networkTimeout) {
    private static final int LONGEST_MILLIS = 1_000;

    static LentSettings of(Connection connection, boolean ofSession) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        String timeout = ofSession ? Schema.text(connection, "show statement_timeout") : "";
        if (ofSession && !autoCommit) {
            connection.rollback();
        }
        return new LentSettings(timeout, autoCommit, connection.getNetworkTimeout());
    }

    void restore(Connection connection) {
        try {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, LONGEST_MILLIS);
                if (!statementTimeout.isEmpty()) {
                    restoreStatementTimeout(connection);
                }
                connection.setAutoCommit(autoCommit);
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
        } catch (SQLException e) {
            // The connection has ended, which its pool finds out as after any other end.
        }
    }

    private void restoreStatementTimeout(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select set_config('statement_timeout', ?, false)")) {
            statement.setString(1, statementTimeout);
            statement.execute();
        }
    }
}
