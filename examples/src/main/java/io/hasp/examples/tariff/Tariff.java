package io.hasp.examples.tariff;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A price with and without tax, which are written one after the other. The row keeps two fencing tokens: the largest of a writer,
 * and the largest of all. It takes a read above the first, so that no reader is refused because of another reader; and a write
 * that is not below the second.
 */
final class Tariff {
    private static final String TABLE = """
            create table if not exists tariffs (id int primary key, net bigint not null, gross bigint not null,
                write_token bigint not null, last_token bigint not null)""";
    private static final String ADD = "merge into tariffs values (?, 0, 0, 0, 0)";
    private static final String CLAIM = """
            update tariffs set last_token = greatest(last_token, ?) where id = ? and write_token < ?""";
    private static final String WRITE_NET = """
            update tariffs set net = ?, write_token = ?, last_token = ? where id = ? and last_token <= ?""";
    private static final String WRITE_GROSS = """
            update tariffs set gross = ?, write_token = ?, last_token = ? where id = ? and last_token <= ?""";
    private static final String READ = "select net, gross from tariffs where id = ?";

    /** The prices that a reader sees. */
    record Prices(long net, long gross) {
        @Override
        public String toString() {
            return net + " and " + gross;
        }
    }

    /** A later holder of the lock was here. */
    static final class StaleTokenException extends Exception {
        private static final long serialVersionUID = 1L;

        StaleTokenException(long token) {
            super("token " + token + " is of an earlier holder");
        }
    }

    private final DataSource database;
    private final int id;

    private Tariff(DataSource database, int id) {
        this.database = database;
        this.id = id;
    }

    /** A new tariff. */
    static Tariff open(DataSource database, int id) throws SQLException {
        Tariff tariff = new Tariff(database, id);
        tariff.update(TABLE);
        tariff.update(ADD, id);
        return tariff;
    }

    /** Both prices. From now on the writes of earlier holders are refused. */
    Prices read(long token) throws SQLException, StaleTokenException {
        requireTaken(update(CLAIM, token, id, token), token);
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(READ)) {
            select.setInt(1, id);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return new Prices(row.getLong(1), row.getLong(2));
            }
        }
    }

    void writeNet(long token, long net) throws SQLException, StaleTokenException {
        requireTaken(update(WRITE_NET, net, token, token, id, token), token);
    }

    void writeGross(long token, long gross) throws SQLException, StaleTokenException {
        requireTaken(update(WRITE_GROSS, gross, token, token, id, token), token);
    }

    private static void requireTaken(int rows, long token) throws StaleTokenException {
        if (rows == 0) {
            throw new StaleTokenException(token);
        }
    }

    private int update(String sql, Object... values) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
