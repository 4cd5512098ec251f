package io.hasp.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings that a connection had when a data source lent it. The data source may be a pool that does not reset them. Immutable.
 *
 * @param ofSession the values of {@link #NAMES}; empty if they are not changed, as behind a pooler
 */
record LentSettings(List<String> ofSession, boolean autoCommit, int networkTimeout) {
    /** Those that {@link Database} sets. */
    private static final List<String> NAMES =
            List.of("statement_timeout", "lock_timeout", "idle_session_timeout", "default_transaction_isolation");

    private static final int LONGEST_MILLIS = 1_000;

    static LentSettings of(Connection connection, boolean withSession) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        List<String> ofSession = new ArrayList<>();
        if (withSession) {
            for (String name : NAMES) {
                ofSession.add(Schema.text(connection, "show " + name));
            }
            if (!autoCommit) {
                connection.rollback();
            }
        }
        return new LentSettings(List.copyOf(ofSession), autoCommit, connection.getNetworkTimeout());
    }

    void restore(Connection connection) {
        try {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, LONGEST_MILLIS);
                for (int i = 0; i < ofSession.size(); i++) {
                    restore(connection, NAMES.get(i), ofSession.get(i));
                }
                connection.setAutoCommit(autoCommit);
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
        } catch (SQLException e) {
            // The connection has ended, which its pool finds out as after any other end.
        }
    }

    private static void restore(Connection connection, String name, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select set_config(?, ?, false)")) {
            statement.setString(1, name);
            statement.setString(2, value);
            statement.execute();
        }
    }
}
