package io.hasp.evaluation.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hasp.postgres.PostgresConfig;
import io.hasp.spi.Credentials;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * The address of a PostgreSQL database, for libraries other than Hasp: the parts of Hasp's URI. Their tables are in the same schema as Hasp's.
 *
 * @param config the parts
 */
public record PostgresEndpoint(PostgresConfig config) {
    private static final int CONNECT_SECONDS = 10;

    /** The tables of the other locks, as their libraries document them. */
    private static final String TABLES = """
            create table if not exists int_lock (lock_key char(36) not null, region varchar(100) not null, client_id char(36),
              created_date timestamp not null, expired_after timestamp not null,
              constraint int_lock_pk primary key (lock_key, region));
            create table if not exists shedlock (name varchar(255) not null primary key, lock_until timestamp not null,
              locked_at timestamp not null, locked_by varchar(255) not null);
            create table if not exists baseline (name text not null primary key, holder text not null, expires timestamptz not null);
            """;

    /**
     * The database of a URI.
     *
     * @param uri as Hasp takes it
     * @return its endpoint
     */
    public static PostgresEndpoint of(String uri) {
        return new PostgresEndpoint(PostgresConfig.of(URI.create(uri)));
    }

    /** Without credentials, for messages. */
    String address() {
        return "postgresql://" + String.join(",", config.hosts()) + "/" + config.database();
    }

    private String url() {
        return "jdbc:postgresql://" + String.join(",", config.hosts()) + "/"
                + URLEncoder.encode(config.database(), StandardCharsets.UTF_8);
    }

    private Properties properties() {
        Properties properties = new Properties();
        config.driver().forEach(properties::setProperty);
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("currentSchema", config.locks().schema());
        config.credentials().ifPresent(known -> {
            properties.setProperty("user", known.user());
            properties.setProperty("password", known.password());
        });
        return properties;
    }

    /**
     * Opens a plain connection, in the schema of the comparison.
     *
     * @return the connection, which commits by itself, closed by the caller
     * @throws SQLException if there is none
     */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), properties());
    }

    /**
     * Opens a pool of HikariCP with its defaults, as an application has it, but for connections that no thread uses: the pools of many client
     * processes would take all connections of a usual server. A pool keeps each connection that it had to open.
     *
     * @return the pool, closed by the caller
     */
    public HikariDataSource pool() {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url());
        pool.setDataSourceProperties(properties());
        pool.setMinimumIdle(1);
        config.credentials().map(Credentials::user).ifPresent(pool::setUsername);
        config.credentials().map(Credentials::password).ifPresent(pool::setPassword);
        return new HikariDataSource(pool);
    }

    /**
     * Creates the schema of a comparison, and in it the tables of the other locks; Hasp's client creates its own.
     *
     * @throws SQLException if the server refuses or does not answer
     */
    public void create() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema if not exists " + config.locks().schema());
            statement.execute(TABLES);
        }
    }

    void drop() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema if exists " + config.locks().schema() + " cascade");
        }
    }
}
