package io.hasp.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import com.zaxxer.hikari.util.DriverDataSource;
import io.hasp.postgres.socket.PeekingSocketFactory;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.ClientThreads;
import io.hasp.spi.Credentials;
import io.hasp.spi.LogQueue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** A small pool of connections of the client's own, and calls that end within the command timeout. Thread-safe. */
final class Database implements AutoCloseable {
    private static final String DRIVER = "org.postgresql.Driver";
    private static final Executor HERE = Runnable::run;
    /** A call that begins later than this before its end could hardly be answered. */
    private static final long LEAST_NANOS = 1_000_000;

    private static final Duration IDLE = Duration.ofMinutes(1);

    /** A call on a connection. */
    @FunctionalInterface
    interface Call<T> {
        T on(Connection connection) throws SQLException;
    }

    private final HikariDataSource pool;
    private final ScheduledThreadPoolExecutor housekeeper;
    private final String server;
    private final PostgresLocks locks;

    private Database(HikariConfig config, Connections connections, String server, PostgresLocks locks) {
        this.server = server;
        this.locks = locks;
        this.housekeeper = new ScheduledThreadPoolExecutor(1, ClientThreads.named("hasp-postgres-pool"));
        config.setDataSource(connections);
        config.setPoolName("hasp-postgres");
        config.setMaximumPoolSize(locks.poolSize() + (locks.listens() ? 1 : 0));
        // The connection that shows that the server answers is the first one to be used; later the pool may be empty.
        config.setMinimumIdle(1);
        config.setIdleTimeout(IDLE.toMillis());
        config.setConnectionTimeout(locks.commandTimeout().toMillis());
        config.setValidationTimeout(Math.min(
                locks.commandTimeout().toMillis(), Duration.ofSeconds(5).toMillis()));
        config.setInitializationFailTimeout(1);
        config.setAutoCommit(true);
        config.setReadOnly(false);
        config.setThreadFactory(ClientThreads.named("hasp-postgres-connect"));
        config.setScheduledExecutor(housekeeper);
        config.setConnectionInitSql(locks.listens() ? settings(locks) : null);
        try {
            this.pool = ClientThreads.callElsewhere(() -> new HikariDataSource(config));
            pool.getHikariConfigMXBean().setMinimumIdle(0);
        } catch (PoolInitializationException e) {
            housekeeper.shutdownNow();
            SQLException cause = e.getCause() instanceof SQLException sql ? sql : new SQLException(e.getCause());
            throw PostgresFailures.connecting(server, "connection", cause);
        } catch (RuntimeException | Error e) {
            housekeeper.shutdownNow();
            throw e;
        } catch (Exception e) {
            throw new AssertionError("the constructor of a pool declares no exception", e);
        }
    }

    /**
     * Replaces settings of the role that are for other transactions. The functions need READ COMMITTED: with an older snapshot they would not
     * see what was committed while they waited for the row.
     */
    private static String settings(PostgresLocks locks) {
        return "set statement_timeout = " + locks.commandTimeout().toMillis()
                + "; set lock_timeout = 0; set idle_session_timeout = 0; set default_transaction_isolation = 'read committed'";
    }

    /** Connects to a server by its address. */
    static Database connect(PostgresConfig config) {
        Properties properties = new Properties();
        long seconds =
                Math.max(1, config.locks().commandTimeout().plusMillis(999).toSeconds());
        properties.setProperty("connectTimeout", Long.toString(seconds));
        properties.setProperty("socketTimeout", Long.toString(seconds));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "hasp");
        if (config.hosts().size() > 1) {
            properties.setProperty("targetServerType", "primary");
        }
        if (config.locks().listens()) {
            // Saves two round trips of each connection. A pooler may not know the parameters that it saves them by.
            properties.setProperty("assumeMinServerVersion", "14");
        } else {
            properties.setProperty("prepareThreshold", "0");
        }
        config.driver().forEach(properties::setProperty);
        peek(properties);
        String url = "jdbc:postgresql://" + String.join(",", config.hosts()) + "/"
                + URLEncoder.encode(config.database(), StandardCharsets.UTF_8);
        String user = config.credentials().map(Credentials::user).orElse(null);
        String password = config.credentials().map(Credentials::password).orElse(null);
        DataSource source = new DriverDataSource(url, DRIVER, properties, user, password);
        return new Database(
                new HikariConfig(), Connections.own(source, source::getConnection), config.server(), config.locks());
    }

    /** Connects as an application's data source does, without a connection of its pool if it is one of HikariCP. */
    static Database like(DataSource source, PostgresLocks locks) {
        try {
            Connections connections = Connections.lent(source, !locks.listens());
            if (source.isWrapperFor(HikariDataSource.class)) {
                HikariDataSource other = source.unwrap(HikariDataSource.class);
                connections = Connections.own(other, Opening.like(other, Database::peek));
            }
            return new Database(new HikariConfig(), connections, "the database of the given data source", locks);
        } catch (SQLException e) {
            throw PostgresFailures.connecting("the given data source", "connection", e);
        }
    }

    /** The driver loads the class by itself: one that an application server shares between applications may not find it. */
    private static void peek(Properties properties) {
        String name = PeekingSocketFactory.class.getName();
        try {
            Class.forName(name, false, PGConnection.class.getClassLoader());
            properties.putIfAbsent("socketFactory", name);
        } catch (ClassNotFoundException | LinkageError e) {
            LogQueue.log(System.Logger.Level.DEBUG, "direct grants come a millisecond later", e);
        }
    }

    String server() {
        return server;
    }

    Duration timeout() {
        return locks.commandTimeout();
    }

    /**
     * Makes a call as a transaction of its own, a second time if the connection turned out to be dead.
     *
     * @param onRepeat called before the second time: the first one may have had its effect, or still have it
     * @throws BackendFailure within the command timeout
     */
    <T> T call(String what, Call<T> call, Runnable onRepeat) {
        return call(what, locks.commandTimeout(), call, onRepeat);
    }

    <T> T call(String what, Call<T> call) {
        return call(what, call, () -> {});
    }

    /** As the other ones, within a given time. */
    <T> T call(String what, Duration limit, Call<T> call, Runnable onRepeat) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            return once(what, limit, call, end);
        } catch (DeadConnectionException e) {
            onRepeat.run();
            pool.getHikariPoolMXBean().softEvictConnections();
            try {
                return once(what, limit, call, end);
            } catch (DeadConnectionException again) {
                throw again.failure;
            } catch (BackendFailure failure) {
                throw PostgresFailures.maybeApplied(failure);
            }
        }
    }

    private <T> T once(String what, Duration limit, Call<T> call, long end) throws DeadConnectionException {
        try (Connection connection = connection(what, end)) {
            long left = end - System.nanoTime();
            if (left < LEAST_NANOS) {
                throw new BackendFailure(
                        Kind.UNAVAILABLE,
                        Outcome.NOT_APPLIED,
                        server + ": no connection was free for the " + what + " within " + limit,
                        null);
            }
            connection.setNetworkTimeout(HERE, (int) Math.max(1, left / 1_000_000));
            if (!locks.listens()) {
                connection.unwrap(PGConnection.class).setPrepareThreshold(0);
            }
            return call.on(connection);
        } catch (SQLException e) {
            BackendFailure failure = PostgresFailures.calling(server, what, e, limit);
            if (failure.outcome() == Outcome.UNKNOWN && end - System.nanoTime() > LEAST_NANOS) {
                throw new DeadConnectionException(failure);
            }
            throw failure;
        }
    }

    /** The connection had ended before the time for an answer was over. */
    private static final class DeadConnectionException extends Exception {
        private static final long serialVersionUID = 1L;
        private final BackendFailure failure;

        DeadConnectionException(BackendFailure failure) {
            super(failure.getMessage(), failure, false, false);
            this.failure = failure;
        }
    }

    private Connection connection(String what, long end) {
        boolean interrupted = false;
        try {
            while (true) {
                // The pool would take an interrupt for an outage.
                interrupted |= Thread.interrupted();
                try {
                    return connectionUntil(end);
                } catch (SQLException e) {
                    if (!(e.getCause() instanceof InterruptedException) || System.nanoTime() - end >= 0) {
                        throw PostgresFailures.connecting(server, what, e);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The pool's usual limit is the time of a whole call. */
    private Connection connectionUntil(long end) throws SQLException {
        long millis = Math.max(1, (end - System.nanoTime()) / 1_000_000);
        return !pool.isClosed() && pool.getHikariPoolMXBean() instanceof HikariPool open
                ? open.getConnection(millis)
                : pool.getConnection();
    }

    /** Takes a connection out of the pool for a long time; its user closes it. */
    Connection borrow() throws SQLException {
        return pool.getConnection();
    }

    /** Closes a connection at once, also while another thread reads from it. */
    void discard(Connection connection) {
        try {
            connection.abort(HERE);
        } catch (SQLException e) {
            // It has ended already.
        }
        pool.evictConnection(connection);
    }

    @Override
    public void close() {
        pool.close();
        housekeeper.shutdownNow();
    }
}
