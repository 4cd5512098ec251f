package io.hasp.postgres;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.ClientThreads;
import io.hasp.spi.LogQueue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens to the client's channel on a connection and a thread of its own, and takes another connection after the end of one. Asks a silent
 * connection every five seconds whether it is alive. Thread-safe.
 */
final class Listener implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final String PROBE = "probe";

    private final Database database;
    private final String channel;
    private final Consumer<String> onMessage;
    private final Runnable onGap;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean live;
    private @Nullable Connection current;

    /**
     * Creates a listener; {@link #start} starts it.
     *
     * @param onMessage gets each message
     * @param onGap called when messages may be missing
     */
    Listener(Database database, String channel, Consumer<String> onMessage, Runnable onGap) {
        this.database = database;
        this.channel = channel;
        this.onMessage = onMessage;
        this.onGap = onGap;
    }

    /** Listens from the return of this call on, and throws if that is not possible. */
    void start() {
        Connection connection;
        try {
            connection = listening();
            if (!receivesProbe(connection)) {
                throw new BackendFailure(
                        Kind.INCOMPATIBLE,
                        Outcome.NOT_APPLIED,
                        database.server()
                                + " passes no messages on to the connection that listens; behind a transaction"
                                + " pooler use notify=poll; see docs/guarantees/postgres.md, section The URI",
                        null);
            }
            showLife(connection);
        } catch (SQLException e) {
            throw PostgresFailures.connecting(database.server(), "connection that listens", e);
        }
        live = true;
        ClientThreads.daemon(() -> run(connection), "hasp-postgres-listen").start();
    }

    /** A session that listens gets the messages of earlier commits before the answer to its next statement. */
    private boolean receivesProbe(Connection connection) throws SQLException {
        database.call("message to this client", on -> {
            try (PreparedStatement statement = on.prepareStatement("select pg_notify(?, ?)")) {
                statement.setString(1, channel);
                statement.setString(2, PROBE);
                return statement.execute();
            }
        });
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        }
        PGNotification[] messages = connection.unwrap(PGConnection.class).getNotifications();
        return messages != null && messages.length > 0;
    }

    /** Takes a lock that ends with the session: it shows the server that this client's waiters live. */
    private void showLife(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock_shared(hashtextextended('" + channel + "', 0))");
        }
    }

    /** True while messages arrive, as far as this client knows. */
    boolean live() {
        return live;
    }

    private Connection listening() throws SQLException {
        Connection connection = database.borrow();
        boolean listens = false;
        try (Statement statement = connection.createStatement()) {
            connection.setNetworkTimeout(Runnable::run, (int) database.timeout().toMillis());
            statement.execute("set application_name = 'hasp listens'; listen \"" + channel + "\"");
            listens = true;
        } finally {
            if (!listens) {
                database.discard(connection);
            }
        }
        synchronized (this) {
            current = connection;
            if (isClosed()) {
                end(connection);
            }
        }
        return connection;
    }

    /** Once for each connection: {@link #close} and the thread that reads end the same one. */
    private synchronized void end(Connection connection) {
        if (current == connection) {
            current = null;
            database.discard(connection);
        }
    }

    private void run(Connection first) {
        @Nullable Connection connection = first;
        Duration pause = FIRST_PAUSE;
        while (!isClosed()) {
            try {
                if (connection == null) {
                    connection = listening();
                    showLife(connection);
                    live = true;
                    onGap.run();
                }
                pause = FIRST_PAUSE;
                receive(connection);
            } catch (SQLException | RuntimeException e) {
                boolean wasLive = live;
                live = false;
                if (connection != null) {
                    end(connection);
                    connection = null;
                }
                if (wasLive && !isClosed()) {
                    LogQueue.log(System.Logger.Level.DEBUG, "the connection that listens has ended", e);
                    onGap.run();
                }
                pause = pausing(pause);
            }
        }
    }

    private void receive(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        while (!isClosed()) {
            PGNotification[] messages = driver.getNotifications((int) SILENCE.toMillis());
            if (messages == null || messages.length == 0) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("select 1");
                }
                messages = driver.getNotifications();
            }
            if (messages != null) {
                for (PGNotification message : messages) {
                    onMessage.accept(message.getParameter());
                }
            }
        }
    }

    private Duration pausing(Duration pause) {
        try {
            if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return pause;
            }
        } catch (InterruptedException e) {
            // The thread belongs to this class, so an interrupt has no meaning.
        }
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed.countDown();
            live = false;
            if (current != null) {
                end(current);
            }
        }
    }
}
