package io.hasp.spring.connection;

import com.zaxxer.hikari.HikariDataSource;
import io.hasp.postgres.Notification;
import io.hasp.postgres.PostgresBackend;
import io.hasp.postgres.PostgresLocks;
import io.hasp.spring.HaspConfigurationException;
import io.hasp.spring.HaspProperties;
import io.hasp.spring.HaspProperties.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * The PostgreSQL database of a {@link DataSource} bean. The locks have a small pool of connections of their own: a transaction that waits for a
 * lock would keep the connection that the lock needs.
 */
final class DataSourceSource implements ConnectionSource {
    private static final String POSTGRESQL = "PostgreSQL";

    private final BeansByType beans;
    private final HaspProperties properties;

    DataSourceSource(BeansByType beans, HaspProperties properties) {
        this.beans = beans;
        this.properties = properties;
    }

    @Override
    public Connection kind() {
        return Connection.DATASOURCE;
    }

    @Override
    public Optional<FoundConnection> find() {
        return beans.one(DataSource.class).map(found -> on(found.name(), found.bean()));
    }

    private FoundConnection on(String name, DataSource source) {
        PostgresLocks locks = locks();
        DataSource own = withoutPool(name, source);
        requirePostgres(name, own);
        DatabaseInitializers.complete(beans.beans());
        return new FoundConnection(
                "PostgreSQL by the DataSource '" + name + "'",
                PostgresBackend.on(own, locks),
                List.of(name),
                Optional.of(new DataSourceFence(source, own, locks)));
    }

    private PostgresLocks locks() {
        if (properties.acknowledge() != null || properties.acknowledgeWithin() != null) {
            throw new HaspConfigurationException(
                    "hasp.acknowledge is for Redis, and the locks are in PostgreSQL",
                    "Remove it; synchronous_commit and synchronous_standby_names of the server decide there.",
                    null);
        }
        PostgresLocks locks = PostgresLocks.defaults();
        String prefix = properties.keyPrefix();
        if (prefix != null) {
            locks = accepted("hasp.key-prefix is '" + prefix + "', and tables begin with it: ", locks, prefix);
        }
        try {
            locks = properties.commandTimeout() == null ? locks : locks.commandTimeout(properties.commandTimeout());
        } catch (IllegalArgumentException e) {
            throw HaspConfigurationException.ofProperty(e);
        }
        return with(properties.postgres(), locks);
    }

    private static PostgresLocks accepted(String problem, PostgresLocks locks, String prefix) {
        try {
            return locks.prefix(prefix + "_");
        } catch (IllegalArgumentException e) {
            throw new HaspConfigurationException(problem + e.getMessage(), "Set another value.", e);
        }
    }

    private static PostgresLocks with(HaspProperties.Postgres given, PostgresLocks locks) {
        try {
            PostgresLocks with = locks.create(given.create());
            with = given.schema() == null ? with : with.schema(given.schema());
            with = given.poolSize() == null ? with : with.poolSize(given.poolSize());
            return with.notification(
                    given.notification() == HaspProperties.Postgres.Notification.POLL
                            ? Notification.POLL
                            : Notification.LISTEN);
        } catch (IllegalArgumentException e) {
            throw HaspConfigurationException.ofProperty("hasp.postgres.", e);
        }
    }

    /** Returns a data source whose address and credentials, or whose connections, the locks may use without a limit of the application. */
    private static DataSource withoutPool(String name, DataSource source) {
        try {
            if (!source.isWrapperFor(AbstractRoutingDataSource.class)) {
                if (source.isWrapperFor(HikariDataSource.class)) {
                    return source.unwrap(HikariDataSource.class);
                }
                if (source.isWrapperFor(AbstractDriverBasedDataSource.class)
                        && !source.isWrapperFor(SingleConnectionDataSource.class)) {
                    return source.unwrap(AbstractDriverBasedDataSource.class);
                }
                if (source.getClass().getName().equals("org.postgresql.ds.PGSimpleDataSource")) {
                    return source;
                }
            }
        } catch (SQLException e) {
            throw refused(name, "can't be unwrapped: " + e.getMessage(), e);
        }
        throw refused(
                name,
                "is a " + source.getClass().getSimpleName()
                        + ", whose database Hasp can't reach without its connections, which the application needs for itself",
                null);
    }

    /** A database that does not answer is left to the backend, which may connect later. */
    private static void requirePostgres(String name, DataSource source) {
        String url = source instanceof HikariDataSource pool ? pool.getJdbcUrl() : null;
        if (url != null) {
            if (!url.matches("jdbc:([^:/]+:)?postgresql:.*")) {
                throw notPostgres(name, "its URL begins with " + url.replaceFirst("^(jdbc:[^:]*:)?.*", "$1"));
            }
            return;
        }
        try (java.sql.Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!POSTGRESQL.equals(product)) {
                throw notPostgres(name, "it is " + product);
            }
        } catch (SQLException e) {
            // As above.
        }
    }

    private static HaspConfigurationException notPostgres(String name, String why) {
        return new HaspConfigurationException(
                "hasp.uri is not set, and the database of the DataSource '" + name + "' is no PostgreSQL: " + why,
                "Set hasp.uri, such as to redis://127.0.0.1:6379 or postgresql://user:password@127.0.0.1/database.",
                null);
    }

    private static HaspConfigurationException refused(String name, String why, @Nullable SQLException cause) {
        return new HaspConfigurationException(
                "the DataSource '" + name + "' " + why,
                "Set hasp.uri=postgresql://user:password@host/database to the database that is to have the locks.",
                cause);
    }
}
