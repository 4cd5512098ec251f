package io.hasp.postgres;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;

/** The tables and functions of one schema and prefix. Immutable. */
final class Schema {
    /** The version of the statements in {@code schema-1.sql}. */
    static final int VERSION = 1;

    private static final String FILE = "schema-" + VERSION + ".sql";
    /** Any number, the same for all clients that create a schema. */
    private static final long CREATING = 0x68617370;
    /** Longer than a command: many clients may create it one after another, on a disk that is busy. */
    private static final Duration CREATION = Duration.ofSeconds(30);

    private final String qualified;
    private final PostgresLocks locks;

    Schema(PostgresLocks locks) {
        this.locks = locks;
        // A name may be a word of the language.
        this.qualified = '"' + locks.schema() + "\"." + locks.prefix();
    }

    /** Writes a statement with the names of this schema: {@code public.hasp_} stands for its schema and prefix. */
    String sql(String statement) {
        return statement.replace("public.hasp_", qualified);
    }

    /** Returns the statements that create this schema, safe to run again. */
    String ddl() {
        try (InputStream file = Objects.requireNonNull(Schema.class.getResourceAsStream(FILE))) {
            return sql(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Checks that the schema is there in this version, and creates it if the settings say so.
     *
     * @throws BackendFailure if it is missing or has another version, or the database has another encoding than UTF-8, or
     *     a client behind a pooler would have another isolation than READ COMMITTED
     */
    void ensure(Database database) {
        requireUtf8(database);
        requireReadCommitted(database);
        int present = version(database);
        if (present == 0 && locks.create()) {
            create(database);
            present = version(database);
        }
        if (present != VERSION) {
            throw new BackendFailure(
                    Kind.INCOMPATIBLE,
                    Outcome.NOT_APPLIED,
                    database.server() + " has " + (present == 0 ? "no tables" : "version " + present + " of the tables")
                            + " of Hasp named " + locks.schema() + "." + locks.prefix()
                            + "…, and this client needs version " + VERSION
                            + ": run the file io/hasp/postgres/" + FILE + " of lock-postgres.jar, with public.hasp_"
                            + " replaced by " + qualified
                            + ", or connect once with schema=create; see docs/guarantees/postgres.md, section Schema",
                    null);
        }
    }

    private static void requireUtf8(Database database) {
        String encoding = database.call("check of the encoding", on -> text(on, "show server_encoding"));
        if (!encoding.equals("UTF8")) {
            throw new BackendFailure(
                    Kind.INCOMPATIBLE,
                    Outcome.NOT_APPLIED,
                    database.server() + " has the encoding " + encoding + ": names of locks need UTF8",
                    null);
        }
    }

    /** A client that listens sets it on its own connections. */
    private void requireReadCommitted(Database database) {
        if (locks.listens()) {
            return;
        }
        String isolation =
                database.call("check of the isolation", on -> text(on, "show default_transaction_isolation"));
        if (!isolation.equals("read committed")) {
            throw new BackendFailure(
                    Kind.INCOMPATIBLE,
                    Outcome.NOT_APPLIED,
                    database.server() + " has default_transaction_isolation = '" + isolation
                            + "' for this role: locks behind a pooler need 'read committed'",
                    null);
        }
    }

    /** Returns zero if there is none. */
    private int version(Database database) {
        return database.call("check of the schema", on -> {
            try {
                return Integer.parseInt(text(on, sql("select public.hasp_version()")));
            } catch (SQLException e) {
                if (PostgresFailures.missing(e)) {
                    return 0;
                }
                throw e;
            }
        });
    }

    /** One transaction. Clients that create it at the same time wait for each other: two would break off each other's statements. */
    private void create(Database database) {
        Duration timeout = database.timeout();
        Duration limit = timeout.compareTo(CREATION) > 0 ? timeout : CREATION;
        database.call("creation of the schema", limit, on -> creation(on, limit), () -> {});
    }

    private boolean creation(Connection on, Duration limit) throws SQLException {
        on.setAutoCommit(false);
        try (Statement statement = on.createStatement()) {
            statement.execute("set local statement_timeout = " + limit.toMillis());
            statement.execute("select pg_advisory_xact_lock(" + CREATING + ")");
            // With "if not exists", PostgreSQL wants the privilege to create schemas also where there is nothing to
            // create.
            if (text(on, "select to_regnamespace('\"" + locks.schema() + "\"') is null")
                    .equals("t")) {
                statement.execute("create schema \"" + locks.schema() + '"');
            }
            statement.execute(ddl());
            on.commit();
        } finally {
            if (!on.isClosed()) {
                on.rollback();
                on.setAutoCommit(true);
            }
        }
        return true;
    }

    static String text(Connection on, String query) throws SQLException {
        try (Statement statement = on.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
