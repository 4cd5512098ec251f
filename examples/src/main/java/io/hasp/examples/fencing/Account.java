package io.hasp.examples.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * An account as a row of an SQL table. The row keeps the largest fencing token that was shown to it, and refuses
 * a smaller one from a writer, and from a reader who is going to write. Each check is one statement with what it protects.
 */
final class Account {
    private static final String TABLE = """
            create table if not exists accounts (id int primary key, balance bigint not null, last_token bigint not null)""";
    private static final String ADD = "merge into accounts values (?, 0, 0)";
    private static final String CLAIM = "update accounts set last_token = ? where id = ? and last_token <= ?";
    private static final String WRITE = """
            update accounts set balance = ?, last_token = ? where id = ? and last_token <= ?""";
    private static final String READ = "select balance from accounts where id = ?";

    /** A client with a larger token was here: this holder's lock was given to another client. */
    static final class StaleTokenException extends Exception {
        private static final long serialVersionUID = 1L;

        StaleTokenException(long token) {
            super("token " + token + " is smaller than the latest one");
        }
    }

    private final DataSource database;
    private final int id;

    private Account(DataSource database, int id) {
        this.database = database;
        this.id = id;
    }

    /** A new account with nothing on it. */
    static Account open(DataSource database, int id) throws SQLException {
        Account account = new Account(database, id);
        account.update(TABLE);
        account.update(ADD, id);
        return account;
    }

    /** Reads the balance before a write. From now on the database refuses smaller tokens. */
    long read(long token) throws SQLException, StaleTokenException {
        if (update(CLAIM, token, id, token) == 0) {
            throw new StaleTokenException(token);
        }
        return balance();
    }

    void write(long token, long balance) throws SQLException, StaleTokenException {
        if (update(WRITE, balance, token, id, token) == 0) {
            throw new StaleTokenException(token);
        }
    }

    long balance() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(READ)) {
            select.setInt(1, id);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
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
