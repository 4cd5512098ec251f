package io.hasp.redis;

import static io.hasp.redis.ConfigChecks.require;

import io.hasp.redis.cluster.Address;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.RedisEndpoint.SentinelGroup;
import io.hasp.redis.server.RedisEndpoint.TlsSockets;
import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Address and settings of a Redis server, of a master behind sentinels, or of a cluster.
 *
 * <pre>
 * redis://[user:password@]host[:port][/database][?parameter=value&amp;…]      rediss:// for TLS
 * redis-sentinel://[user:password@]host[:port],…[/database]?sentinelMasterId=…     rediss-sentinel:// for TLS
 * redis-cluster://[user:password@]host[:port],…[?parameter=value&amp;…]     rediss-cluster:// for TLS
 * </pre>
 *
 * <p>The hosts of {@code redis-sentinel} are the sentinels, which give the address of the master for each new socket. User, password and
 * database belong to the master and its replicas. TLS applies to the sentinels, too. An IPv6 address stands in brackets.
 *
 * <p>The hosts of {@code redis-cluster} are some nodes of the cluster, masters or replicas, which give the addresses of the others. All
 * nodes take the same user and password. Several should be named, since one may be down when a program starts.
 *
 * <table>
 * <caption>Parts of the URI</caption>
 * <tr><th>part</th><th>default</th><th>meaning</th></tr>
 * <tr><td>{@code user:password@}</td><td>none</td><td>ACL user and password, percent-encoded; {@code :password@} for the
 *     default user. They are fixed for the life of the client: {@link #credentials(Supplier)} is for those that change</td></tr>
 * <tr><td>{@code :port}</td><td>6379; of a sentinel 26379</td><td></td></tr>
 * <tr><td>{@code /database}</td><td>0</td><td>number of the database</td></tr>
 * <tr><td>{@code keyPrefix}</td><td>{@value RedisLocks#DEFAULT_KEY_PREFIX}</td><td>put before all keys and channels: letters, digits and
 *     {@code . _ : -}. Clients share locks only if they have the same one</td></tr>
 * <tr><td>{@code commandTimeout}</td><td>{@code 2s}</td><td>the time limit for a connection and for one answer, such as
 *     {@code 500ms}, {@code 2s}, {@code PT2S}; from 10 ms to 10 minutes</td></tr>
 * <tr><td>{@code connection}</td><td>the first on the class path</td><td>the client library: {@code jedis} or
 *     {@code lettuce}, which are looked for in this order, the faster one first. Jedis is a dependency of this artifact, Lettuce is not.
 *     Redisson carries locks through a client of the application: {@link RedisBackend#onRedisson}</td></tr>
 * <tr><td>{@code eviction}</td><td>{@code refused}</td><td>{@code accepted}: also connects to a server whose
 *     {@code maxmemory-policy} lets it evict keys. When its memory is full, it may evict a lock while it is
 *     held: another client may get the lock, and the holder is notified at its next renewal</td></tr>
 * <tr><td>{@code acknowledge}</td><td>none</td><td>the number of replicas that must have received a grant before it counts, from 1
 *     to 100. See {@link Acknowledgement}; {@link RedisLocks#acknowledge(int, Duration)} has another limit for the wait</td></tr>
 * <tr><td>{@code sentinelMasterId}</td><td>none, must be given</td><td>with {@code redis-sentinel}: the name by which the
 *     sentinels call the master</td></tr>
 * <tr><td>{@code sentinelUser}, {@code sentinelPassword}</td><td>none</td><td>with {@code redis-sentinel}: the credentials
 *     of the sentinels themselves</td></tr>
 * </table>
 *
 * <p>The parameters of every backend are allowed as well ({@code io.hasp.ClientOptions}). The rest of this class and of {@link RedisLocks}
 * is for programs: certificates of their own, changing credentials, notification, names of connections.
 *
 * <p>TLS always checks the host name.
 *
 * <p>A program begins with {@link #of(String, int)} and changes single settings:
 * {@code RedisConfig.of("redis.example", 6379).credentials("locks", secret).tls(Tls.defaults())}. Each of these methods returns a new
 * configuration, and throws {@link IllegalArgumentException} for a value that breaks a rule. Immutable.
 *
 * @param host name or address; empty with sentinels and for a cluster
 * @param port from 1 to 65535; ignored with sentinels and for a cluster
 * @param database zero or greater; a cluster has only zero
 * @param credentials the user and password for each new connection; empty if the server requires none
 * @param tls the encryption; empty for plain connections
 * @param locks the settings of the locks
 * @param commandTimeout the time limit for a connection and for one answer
 * @param connection the client library; empty for the first on the class path
 * @param sentinel the sentinels that give the address of the master; empty without sentinels
 * @param nodes some nodes of a cluster, each {@code host} or {@code host:port}; empty without a cluster
 * @param clientName the name of the connections in the server's list of clients; empty for none
 */
public record RedisConfig(
        String host,
        int port,
        int database,
        Optional<Supplier<Credentials>> credentials,
        Optional<Tls> tls,
        RedisLocks locks,
        Duration commandTimeout,
        Optional<Library> connection,
        Optional<SentinelConfig> sentinel,
        List<String> nodes,
        Optional<String> clientName) {

    /**
     * The command timeout unless another is chosen: far longer than an answer takes, and short enough that a renewal is repeated several
     * times before a lease of 30 s ends.
     */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = new RedisConfigBuilder().commandTimeout;

    static final int DEFAULT_PORT = 6379;
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    /** The client libraries that can carry the commands, in the order of the search. */
    public enum Library {
        /** Jedis: blocking sockets in a pool, the shortest way to the server. A dependency of this artifact. */
        JEDIS("redis.clients:jedis", "redis.clients.jedis.Connection"),
        /** Lettuce, asynchronous; nothing is sent twice. Artifact {@code io.lettuce:lettuce-core}. */
        LETTUCE("io.lettuce:lettuce-core", "io.lettuce.core.RedisClient");

        private final String artifact;
        private final String type;

        Library(String artifact, String type) {
            this.artifact = artifact;
            this.type = type;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Of a word in a URI; {@link IllegalArgumentException} if there is no such. */
        static Library of(String word) {
            List<String> known = Arrays.stream(values()).map(Library::word).toList();
            if (!known.contains(word)) {
                throw new IllegalArgumentException("connection is '" + word + "': known are " + known
                        + (word.equals("redisson") ? "; for Redisson there is " + RedisUri.ON_REDISSON : ""));
            }
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        /** The first on the class path. */
        private static Library present() {
            return Arrays.stream(values())
                    .filter(Library::isPresent)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "Redis needs a client library on the class path, one of these artifacts: "
                                    + Arrays.stream(values())
                                            .map(library -> library.artifact)
                                            .collect(Collectors.joining(", "))
                                    + "; or " + RedisUri.ON_REDISSON));
        }

        private boolean isPresent() {
            try {
                Class.forName(type, false, Library.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException | LinkageError e) {
                return false;
            }
        }

        IllegalArgumentException missing(LinkageError why) {
            return new IllegalArgumentException(
                    "connection=" + word() + " needs the artifact " + artifact
                            + " on the class path, of a version that fits: " + why,
                    why);
        }
    }

    /**
     * Checks all values.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    public RedisConfig {
        nodes = nodes.stream()
                .map(node -> ConfigChecks.address("node", node, DEFAULT_PORT))
                .toList();
        ConfigChecks.requireDistinct("node", nodes);
        require(
                sentinel.isEmpty() || nodes.isEmpty(),
                "there are sentinels and nodes of a cluster: it is one or the other");
        require(sentinel.isPresent() || !nodes.isEmpty() || !host.isEmpty(), "the host is missing");
        require(nodes.isEmpty() || host.isEmpty(), "host is '" + host + "': a cluster is given by its nodes");
        require(nodes.isEmpty() || database == 0, "database is " + database + ": a cluster has only database 0");
        require(sentinel.isEmpty() || host.isEmpty(), "host is '" + host + "': with sentinels, they name it");
        require(port >= 1 && port <= 65535, "port is " + port + ": it must be from 1 to 65535");
        require(database >= 0, "database is " + database + ": it must be zero or greater");
        tls.ifPresent(ConfigChecks::requireReadable);
        clientName.ifPresent(ConfigChecks::requireClientName);
        ConfigChecks.requireWithin(
                "commandTimeout", commandTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT, "10 ms to 10 minutes");
        locks.acknowledgement().ifPresent(wanted -> wanted.requireWithin(commandTimeout));
    }

    /**
     * Returns the configuration of a server without authentication and TLS, with the defaults of the table.
     *
     * @param host name or address
     * @param port from 1 to 65535
     * @return a configuration
     * @throws IllegalArgumentException as the constructor
     */
    public static RedisConfig of(String host, int port) {
        RedisConfigBuilder parts = new RedisConfigBuilder();
        parts.host = host;
        parts.port = port;
        return from(parts);
    }

    /**
     * Returns the configuration of a master that sentinels name, without authentication and TLS, with the defaults of the table.
     *
     * @param sentinel the sentinels of the master
     * @return a configuration
     */
    public static RedisConfig of(SentinelConfig sentinel) {
        RedisConfigBuilder parts = new RedisConfigBuilder();
        parts.sentinel = Optional.of(sentinel);
        return from(parts);
    }

    /**
     * Returns the configuration of a cluster without authentication and TLS, with the defaults of the table.
     *
     * @param nodes some of its nodes, each {@code host} or {@code host:port}
     * @return a configuration
     * @throws IllegalArgumentException as the constructor
     */
    public static RedisConfig ofCluster(String... nodes) {
        require(nodes.length > 0, "there are no nodes: at least one must be named");
        RedisConfigBuilder parts = new RedisConfigBuilder();
        parts.nodes = List.of(nodes);
        return from(parts);
    }

    /**
     * Reads a URI.
     *
     * @param uri as in the table
     * @return a configuration
     * @throws IllegalArgumentException naming the part that is unknown, contradictory or out of range, and the known parts
     */
    public static RedisConfig of(URI uri) {
        return from(RedisUri.parse(uri));
    }

    /**
     * Sets the database.
     *
     * @param database zero or greater
     * @return a new configuration
     */
    public RedisConfig database(int database) {
        return with(parts -> parts.database = database);
    }

    /**
     * Sets a user whose password does not change.
     *
     * @param user its name; empty for the default user
     * @param password its password
     * @return a new configuration
     */
    public RedisConfig credentials(String user, String password) {
        return credentials(new Credentials(user, password));
    }

    /**
     * Sets a user whose password or token changes while the program runs. Each new connection calls the provider; open connections stay
     * signed in. If the provider throws or returns null, that attempt to connect fails with kind {@code DENIED}, and the next attempt calls
     * it again. The failure does not repeat the message of the provider's exception.
     *
     * @param provider gives the present credentials, with an empty user for the default user. Several threads call it at once, also threads
     *     of the client library; so it should return without blocking, and another thread should fetch the credentials
     * @return a new configuration
     */
    public RedisConfig credentials(Supplier<Credentials> provider) {
        Objects.requireNonNull(provider, "provider");
        return with(parts -> parts.credentials = Optional.of(provider));
    }

    /**
     * Encrypts the connections. TLS always checks the host name.
     *
     * @param tls the encryption, built from {@link Tls#defaults()}; its files are PKCS12 or JKS
     * @return a new configuration
     */
    public RedisConfig tls(Tls tls) {
        return with(parts -> parts.tls = Optional.of(tls));
    }

    /**
     * Sets how the locks are stored: key prefix, eviction, acknowledgement by replicas, notification.
     *
     * @param locks the settings, built from {@link RedisLocks#defaults()}
     * @return a new configuration
     */
    public RedisConfig locks(RedisLocks locks) {
        return with(parts -> parts.locks = locks);
    }

    /**
     * Sets the time limit for a connection and for one answer: 10 ms to 10 minutes.
     *
     * @return a new configuration
     */
    public RedisConfig commandTimeout(Duration commandTimeout) {
        return with(parts -> parts.commandTimeout = commandTimeout);
    }

    /**
     * Sets the client library.
     *
     * @param connection the library
     * @return a new configuration
     */
    public RedisConfig connection(Library connection) {
        return with(parts -> parts.connection = Optional.of(connection.word()));
    }

    /**
     * Sets a name for the connections, which {@code CLIENT LIST} shows. The user must be permitted to call {@code CLIENT SETNAME}.
     *
     * @param name printable ASCII without spaces
     * @return a new configuration
     */
    public RedisConfig clientName(String name) {
        return with(parts -> parts.clientName = Optional.of(name));
    }

    private RedisConfig with(Consumer<RedisConfigBuilder> change) {
        RedisConfigBuilder parts = new RedisConfigBuilder();
        parts.host = host;
        parts.port = port;
        parts.database = database;
        parts.credentials = credentials;
        parts.tls = tls;
        parts.locks = locks;
        parts.commandTimeout = commandTimeout;
        parts.connection = connection.map(Library::word);
        parts.sentinel = sentinel;
        parts.nodes = nodes;
        parts.clientName = clientName;
        change.accept(parts);
        return from(parts);
    }

    private static RedisConfig from(RedisConfigBuilder parts) {
        return new RedisConfig(
                parts.host,
                parts.port,
                parts.database,
                parts.credentials,
                parts.tls,
                parts.locks,
                parts.commandTimeout,
                parts.connection.map(Library::of),
                parts.sentinel,
                parts.nodes,
                parts.clientName);
    }

    RedisEndpoint endpoint() {
        return endpoint(Optional.empty());
    }

    /** The same with an application's own sockets for TLS. */
    RedisEndpoint endpoint(Optional<TlsSockets> sockets) {
        return endpoint(sockets, sentinel.map(known -> known.endpoint(endpoint(sockets, Optional.empty()))));
    }

    private RedisEndpoint endpoint(Optional<TlsSockets> sockets, Optional<SentinelGroup> sentinels) {
        return new RedisEndpoint(
                host, port, database, credentials, tls, sockets, commandTimeout, sentinels, clientName);
    }

    /** The client library to use; {@link IllegalArgumentException} if there is none. */
    Library library() {
        return connection.orElseGet(() -> Library.present());
    }

    /** Some nodes of a cluster. */
    List<Address> nodeAddresses() {
        return nodes.stream().map(RedisConfig::nodeAddress).toList();
    }

    static Address nodeAddress(String node) {
        String withPort = ConfigChecks.address("node", node, DEFAULT_PORT);
        return new Address(ConfigChecks.host(withPort), ConfigChecks.port(withPort));
    }

    /** The server in words, without credentials. */
    String server() {
        return nodes.isEmpty()
                ? endpoint().server()
                : (tls.isPresent() ? "rediss" : "redis") + "-cluster://" + String.join(",", nodes);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "RedisConfig[" + server() + ConfigChecks.user(credentials) + ", " + locks
                + ", commandTimeout " + commandTimeout
                + connection.map(library -> ", connection " + library).orElse("") + "]";
    }
}
