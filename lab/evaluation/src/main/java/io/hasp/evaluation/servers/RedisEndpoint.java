package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.RespConnection;
import io.hasp.redis.RedisConfig;
import io.hasp.redis.RedlockConfig;
import io.hasp.redis.SentinelConfig;
import io.hasp.spi.Credentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/**
 * The address of a Redis server, or of the sentinels or nodes of a cluster that provide it, for libraries other than
 * Hasp: the parts of Hasp's URI.
 *
 * @param config the parts
 * @param replica of a single server, such as {@code 127.0.0.1:6380}; empty unless clients need the address of one
 */
public record RedisEndpoint(RedisConfig config, String replica) {
    private static final Duration CONNECTING = Duration.ofSeconds(10);

    /**
     * Parses a URI.
     *
     * @param uri in Hasp's form
     * @return its endpoint
     */
    public static RedisEndpoint of(String uri) {
        return new RedisEndpoint(RedisConfig.of(URI.create(uri)), "");
    }

    /**
     * The servers of a {@code redlock} URI.
     *
     * @param uri as Hasp takes it
     * @return the endpoint of each
     */
    public static List<RedisEndpoint> each(String uri) {
        return RedlockConfig.of(URI.create(uri)).nodes().stream()
                .map(node -> new RedisEndpoint(node, ""))
                .toList();
    }

    RedisEndpoint withReplica(String address) {
        return new RedisEndpoint(config, address);
    }

    /**
     * Returns the servers' topology.
     *
     * @return according to the URI's scheme
     */
    public RedisTopology topology() {
        return RedisTopology.of(config);
    }

    /**
     * The key of a lock.
     *
     * @param library that the lock belongs to, so that no library disturbs another
     * @param lock its name
     * @return the key, below the prefix of the URI
     */
    public String key(String library, String lock) {
        return config.locks().keyPrefix() + ":" + library + ":" + lock;
    }

    /** Without credentials, for messages. */
    String address() {
        return "redis://" + config.host() + ":" + config.port()
                + (config.database() == 0 ? "" : "/" + config.database());
    }

    /**
     * A plain connection that is signed in and has the right database: to the master that sentinels name, if there are any.
     *
     * @return the connection, closed by the caller
     * @throws IOException if there is none
     * @throws UnsupportedOperationException for a cluster, where no single server has all keys
     */
    public RespConnection connect() throws IOException {
        return connect(CONNECTING);
    }

    RespConnection connect(Duration timeout) throws IOException {
        if (topology() == RedisTopology.CLUSTER) {
            throw new UnsupportedOperationException(
                    "a plain connection leads to one server, and a cluster has several");
        }
        RedisURI server = master(timeout);
        RespConnection connection = RespConnection.open(server.getHost(), server.getPort(), timeout);
        try {
            if (credentials().isPresent()) {
                Credentials known = credentials().get();
                connection.command("AUTH", known.user(), known.password());
            }
            if (config.database() > 0) {
                connection.command("SELECT", Integer.toString(config.database()));
            }
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private RedisURI master(Duration timeout) throws IOException {
        if (config.sentinel().isEmpty()) {
            return RedisURI.create(config.host(), config.port());
        }
        SentinelConfig sentinels = config.sentinel().get();
        RedisURI first = address(sentinels.addresses().get(0));
        try (RespConnection sentinel = RespConnection.open(first.getHost(), first.getPort(), timeout)) {
            List<?> master = (List<?>) Objects.requireNonNull(
                    sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", sentinels.masterId()));
            return RedisURI.create(String.valueOf(master.get(0)), Integer.parseInt(String.valueOf(master.get(1))));
        }
    }

    private static RedisURI address(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        return RedisURI.create(hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
    }

    /**
     * Redisson's client, configured for servers of this kind, with its defaults otherwise.
     *
     * @param watchdog after how long a silent client's locks are free
     * @param oneThread whether it serves a single thread
     * @return the client, shut down by the caller
     */
    public RedissonClient redisson(Duration watchdog, boolean oneThread) {
        return redisson(watchdog, Duration.ZERO, oneThread);
    }

    /**
     * The same with another command timeout.
     *
     * @param watchdog after how long a silent client's locks are free
     * @param commandTimeout how long to wait for an answer; zero for its default
     * @param oneThread whether it serves a single thread
     * @return the client, shut down by the caller
     */
    public RedissonClient redisson(Duration watchdog, Duration commandTimeout, boolean oneThread) {
        return Redisson.create(RedissonSettings.of(this, watchdog, commandTimeout, oneThread));
    }

    /**
     * Returns the address for a client of Lettuce, except for a cluster.
     *
     * @return with credentials and database
     */
    public RedisURI lettuceUri() {
        RedisURI uri = config.sentinel()
                .map(sentinels -> {
                    RedisURI.Builder named = RedisURI.builder().withSentinelMasterId(sentinels.masterId());
                    sentinels.addresses().stream()
                            .map(RedisEndpoint::address)
                            .forEach(each -> named.withSentinel(each.getHost(), each.getPort()));
                    return named.build();
                })
                .orElseGet(() -> RedisURI.create(config.host(), config.port()));
        uri.setDatabase(config.database());
        signIn(uri);
        return uri;
    }

    /**
     * The nodes of a cluster, for Lettuce.
     *
     * @return with credentials; empty if it is none
     */
    public List<RedisURI> lettuceNodes() {
        List<RedisURI> nodes =
                config.nodes().stream().map(RedisEndpoint::address).toList();
        nodes.forEach(this::signIn);
        return nodes;
    }

    /**
     * The user and its password.
     *
     * @return empty if the servers require none
     */
    public Optional<Credentials> credentials() {
        return config.credentials()
                .map(Supplier::get)
                .map(known -> new Credentials(known.user().isEmpty() ? "default" : known.user(), known.password()));
    }

    private void signIn(RedisURI uri) {
        credentials()
                .ifPresent(known -> uri.setCredentialsProvider(new StaticCredentialsProvider(
                        known.user(), known.password().toCharArray())));
    }
}
