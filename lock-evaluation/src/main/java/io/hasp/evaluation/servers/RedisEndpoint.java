package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.RespConnection;
import io.hasp.redis.RedisConfig;
import io.hasp.redis.RedlockConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The address of a Redis server, for libraries other than Hasp: the parts of Hasp's URI.
 *
 * @param config the parts
 */
public record RedisEndpoint(RedisConfig config) {
    private static final Duration CONNECTING = Duration.ofSeconds(10);
    private static final int FEW = 2;

    /**
     * One server.
     *
     * @param uri as Hasp takes it
     * @return its endpoint
     */
    public static RedisEndpoint of(String uri) {
        return new RedisEndpoint(RedisConfig.of(URI.create(uri)));
    }

    /**
     * The servers of a {@code redlock} URI.
     *
     * @param uri as Hasp takes it
     * @return the endpoint of each
     */
    public static List<RedisEndpoint> each(String uri) {
        return RedlockConfig.of(URI.create(uri)).nodes().stream()
                .map(RedisEndpoint::new)
                .toList();
    }

    /**
     * The key of a lock.
     *
     * @param library that the lock belongs to, so that no library disturbs another
     * @param lock its name
     * @return the key, below the prefix of the URI
     */
    public String key(String library, String lock) {
        return config.keyPrefix() + ":" + library + ":" + lock;
    }

    /** Without credentials, for messages. */
    String address() {
        return "redis://" + config.host() + ":" + config.port()
                + (config.database() == 0 ? "" : "/" + config.database());
    }

    /**
     * A plain connection that is signed in and has the right database.
     *
     * @return the connection, closed by the caller
     * @throws IOException if there is none
     */
    public RespConnection connect() throws IOException {
        return connect(CONNECTING);
    }

    RespConnection connect(Duration timeout) throws IOException {
        RespConnection connection = RespConnection.open(config.host(), config.port(), timeout);
        try {
            if (config.password().isPresent()) {
                connection.command(
                        "AUTH",
                        config.user().orElse("default"),
                        config.password().get());
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

    /**
     * Redisson's client with the defaults of its single server configuration.
     *
     * @param watchdog after how long a silent client's locks are free
     * @param oneThread whether it serves a single thread
     * @return the client, shut down by the caller
     */
    public RedissonClient redisson(Duration watchdog, boolean oneThread) {
        Config redisson = new Config();
        redisson.setLockWatchdogTimeout(watchdog.toMillis());
        config.user().ifPresent(redisson::setUsername);
        config.password().ifPresent(redisson::setPassword);
        var server = redisson.useSingleServer()
                .setAddress("redis://" + config.host() + ":" + config.port())
                .setDatabase(config.database());
        if (oneThread) {
            redisson.setThreads(FEW).setNettyThreads(FEW);
            server.setConnectionMinimumIdleSize(1).setConnectionPoolSize(FEW);
        }
        return Redisson.create(redisson);
    }

    /**
     * Lettuce's client with its defaults.
     *
     * @return the client, shut down by the caller
     */
    public RedisClient lettuce() {
        RedisURI.Builder uri =
                RedisURI.Builder.redis(config.host(), config.port()).withDatabase(config.database());
        config.password()
                .ifPresent(password -> uri.withAuthentication(config.user().orElse("default"), password.toCharArray()));
        return RedisClient.create(uri.build());
    }
}
