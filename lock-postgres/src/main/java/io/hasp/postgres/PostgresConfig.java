package io.hasp.postgres;

import io.hasp.spi.Credentials;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Configures a connection to one database. Immutable; its text form has no password.
 *
 * <p>As a URI: {@code postgresql://[user:password@]host[:port][,host[:port]…]/database[?parameter=value&…]}, or {@code postgres://}.
 *
 * <table>
 * <caption>Parameters</caption>
 * <tr><th>parameter</th><th>default</th><th>meaning</th></tr>
 * <tr><td>{@code schema=create}</td><td></td><td>creates missing tables and functions</td></tr>
 * <tr><td>{@code schemaName}</td><td>{@code public}</td><td>the schema of the tables</td></tr>
 * <tr><td>{@code prefix}</td><td>{@code hasp_}</td><td>the beginning of the names of tables and functions</td></tr>
 * <tr><td>{@code notify}</td><td>{@code listen}</td><td>{@code poll} behind a transaction pooler, see {@link Notification}</td></tr>
 * <tr><td>{@code commandTimeout}</td><td>{@code 2s}</td><td>the longest time of one call</td></tr>
 * <tr><td>{@code poolSize}</td><td>4</td><td>the connections for calls</td></tr>
 * <tr><td>{@code sslmode}, {@code sslrootcert}, {@code sslcert}, {@code sslkey}</td><td>pgjdbc's</td>
 * <td>TLS, as pgjdbc documents them</td></tr>
 * <tr><td>{@code targetServerType}</td><td>{@code primary} for several hosts</td><td>as pgjdbc documents it</td></tr>
 * </table>
 *
 * @param hosts each a name or an address, and perhaps a port behind a colon; of several, the first that is the primary serves
 * @param database its name
 * @param credentials user and password; empty for those of the system's user
 * @param driver further properties of pgjdbc
 * @param locks the settings of the locks
 */
public record PostgresConfig(
        List<String> hosts,
        String database,
        Optional<Credentials> credentials,
        Map<String, String> driver,
        PostgresLocks locks) {

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if there is no host or no database
     */
    public PostgresConfig {
        hosts = List.copyOf(hosts);
        driver = Map.copyOf(driver);
        Objects.requireNonNull(credentials, "credentials");
        Objects.requireNonNull(locks, "locks");
        if (hosts.isEmpty() || database.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no " + (hosts.isEmpty() ? "host" : "database") + ": " + PostgresUri.FORM);
        }
    }

    /**
     * Reads a URI.
     *
     * @param uri as above
     * @return its configuration
     * @throws IllegalArgumentException naming the part and the rule that it breaks, and never a password
     */
    public static PostgresConfig of(URI uri) {
        return PostgresUri.parse(uri);
    }

    /**
     * Creates the configuration of one server.
     *
     * @param host its name or address
     * @param port its port
     * @param database the name of the database
     * @return a configuration with default settings and without credentials
     */
    public static PostgresConfig of(String host, int port, String database) {
        return new PostgresConfig(
                List.of(host + ":" + port), database, Optional.empty(), Map.of(), PostgresLocks.defaults());
    }

    /**
     * Returns this configuration with other credentials.
     *
     * @param user the role
     * @param password its password
     * @return a new configuration
     */
    public PostgresConfig credentials(String user, String password) {
        return new PostgresConfig(hosts, database, Optional.of(new Credentials(user, password)), driver, locks);
    }

    /**
     * Returns this configuration with other settings of the locks.
     *
     * @param other the settings
     * @return a new configuration
     */
    public PostgresConfig locks(PostgresLocks other) {
        return new PostgresConfig(hosts, database, credentials, driver, other);
    }

    /**
     * Returns this configuration with other properties of pgjdbc, such as {@code sslmode}.
     *
     * @param properties replace the former ones
     * @return a new configuration
     */
    public PostgresConfig driver(Map<String, String> properties) {
        return new PostgresConfig(hosts, database, credentials, properties, locks);
    }

    /** The server and the database in words, without credentials. */
    String server() {
        return "postgresql://" + String.join(",", hosts) + "/" + database;
    }

    /** Omits the password and the properties of the driver, which may have one. */
    @Override
    public String toString() {
        return "PostgresConfig[" + server() + ", " + credentials + ", " + locks + "]";
    }
}
