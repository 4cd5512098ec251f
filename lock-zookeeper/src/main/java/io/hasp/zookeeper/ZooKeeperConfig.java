package io.hasp.zookeeper;

import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Addresses and settings of a ZooKeeper ensemble. As a URI: {@code
 * zookeeper://[user:password@]host:port[,host:port…][/path][?parameter=value&…]}, where everything but the hosts is optional. The default
 * port is 2181; {@code %XX} is decoded in user, password, path and values.
 *
 * <table>
 *   <caption>Parts of the URI</caption>
 *   <tr><th>part or parameter</th><th>meaning</th><th>default</th></tr>
 *   <tr><td>{@code user:password@}</td><td>credentials of the digest scheme, fixed for the life of the client</td><td>none</td></tr>
 *   <tr><td>{@code /path}</td><td>the locks are kept under {@code <path>/hasp/locks}, as with a chroot; missing nodes are
 *       created</td><td>{@code /hasp/locks}</td></tr>
 *   <tr><td>{@code sessionTimeout}</td><td>requested from the server, which may grant less or more. After this time
 *       without contact the server ends the session and frees the locks; at least two ticks of the server</td><td>{@code 15s}</td></tr>
 *   <tr><td>{@code connectionTimeout}</td><td>the longest wait of {@code connect} for the first answer of a server</td>
 *       <td>{@code 5s}</td></tr>
 *   <tr><td>{@code commandTimeout}</td><td>the time for an answer, after which a call fails</td><td>{@code 5s}</td></tr>
 *   <tr><td>{@code acl}</td><td>{@code open}: all users of the servers may use the nodes; {@code creator}: only clients with the
 *       same credentials, which needs {@code user:password@}</td><td>{@code creator} with credentials, otherwise {@code open}</td></tr>
 *   <tr><td>{@code tls}</td><td>{@code true}: encrypted, on the server's secure port</td><td>{@code false}</td></tr>
 *   <tr><td>{@code trustStore}, {@code trustStorePassword}</td><td>the certificates to trust, as PEM, JKS, PKCS12 or BCFKS, by the file's
 *   ending</td><td>the Java runtime's</td></tr>
 *   <tr><td>{@code keyStore}, {@code keyStorePassword}</td><td>the client's certificate and key, likewise</td><td>none</td></tr>
 * </table>
 *
 * <p>Durations are written {@code 500ms}, {@code 10s}, {@code 2m} or as ISO-8601 ({@code PT10S}).
 *
 * @param servers {@code host:port}, separated by commas, without a chroot
 * @param locks the settings of the locks
 * @param sessionTimeout the timeout to request from the server
 * @param connectionTimeout the longest wait for the first connection
 * @param digest credentials that are fixed for the life of the client
 * @param provider gives credentials of the digest scheme that change; empty if they are fixed
 * @param tls encryption
 */
public record ZooKeeperConfig(
        String servers,
        ZooKeeperLocks locks,
        Duration sessionTimeout,
        Duration connectionTimeout,
        Optional<DigestCredentials> digest,
        Optional<Supplier<Credentials>> provider,
        Optional<Tls> tls) {

    /** The session timeout unless another is chosen. */
    public static final Duration DEFAULT_SESSION_TIMEOUT = Duration.ofSeconds(15);

    /** The connection timeout unless another is chosen. */
    public static final Duration DEFAULT_CONNECTION_TIMEOUT = Duration.ofSeconds(5);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the wrong value and the reason
     */
    public ZooKeeperConfig {
        for (String server : servers.split(",", -1)) {
            if (!server.matches("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?")) {
                throw new IllegalArgumentException(
                        "'" + server + "' is no server: write host:port, several separated by commas");
            }
            int colon = server.lastIndexOf(':');
            if (colon > server.lastIndexOf(']')) {
                int port = Integer.parseInt(server.substring(colon + 1));
                if (port < 1 || port > 65_535) {
                    throw new IllegalArgumentException("server '" + server + "': a port is from 1 to 65535");
                }
            }
        }
        ConfigChecks.positive("sessionTimeout", sessionTimeout);
        ConfigChecks.positive("connectionTimeout", connectionTimeout);
        if (digest.isPresent() && provider.isPresent()) {
            throw new IllegalArgumentException(
                    "there are digest credentials and a credentials provider: it is one or the other");
        }
    }

    /**
     * Sets credentials of the digest scheme that change while the program runs. The provider is called for each new session, and whenever a
     * connection of the session ends or begins; new credentials are added to those of the session. If the provider throws or returns null,
     * connecting fails with kind {@code DENIED}. A connected session then keeps its credentials, and the client logs one line each time.
     *
     * @param provider gives the present credentials. Threads of ZooKeeper's client call it; so it should return without blocking, and
     *     another thread should fetch the credentials
     * @return a new configuration
     */
    public ZooKeeperConfig credentials(Supplier<Credentials> provider) {
        return new ZooKeeperConfig(
                servers, locks, sessionTimeout, connectionTimeout, Optional.empty(), Optional.of(provider), tls);
    }

    /** Returns the present credentials, fixed or from the provider. */
    Optional<Supplier<Credentials>> present() {
        return provider.or(() -> digest.map(fixed -> () -> new Credentials(fixed.user(), fixed.password())));
    }

    /**
     * Returns a configuration for these servers, with the default for every other setting.
     *
     * @param servers {@code host:port}, separated by commas
     * @return a configuration
     * @throws IllegalArgumentException if the text is no list of servers
     */
    public static ZooKeeperConfig of(String servers) {
        return new ZooKeeperConfig(
                servers,
                ZooKeeperLocks.defaults(),
                DEFAULT_SESSION_TIMEOUT,
                DEFAULT_CONNECTION_TIMEOUT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Reads a URI of the form above.
     *
     * @param uri with the scheme {@code zookeeper}
     * @return the configuration
     * @throws IllegalArgumentException naming the unknown or contradictory part, and the known parts
     */
    public static ZooKeeperConfig of(URI uri) {
        return new ZooKeeperUri(uri).read();
    }
}
