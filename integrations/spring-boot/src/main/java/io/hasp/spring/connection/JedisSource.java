package io.hasp.spring.connection;

import io.hasp.redis.RedisBackend;
import io.hasp.redis.RedisConfig;
import io.hasp.redis.SentinelConfig;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import io.hasp.spring.HaspProperties.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * The server of a {@link JedisConnectionFactory}, through Jedis, on separate connections: the factory's pool may be
 * empty when a lease is due.
 */
final class JedisSource implements ConnectionSource {
    private final BeansByType beans;
    private final RedisSettings settings;

    JedisSource(BeansByType beans, RedisSettings settings) {
        this.beans = beans;
        this.settings = settings;
    }

    @Override
    public Connection kind() {
        return Connection.JEDIS;
    }

    @Override
    public Optional<FoundConnection> find() {
        return beans.one(RedisConnectionFactory.class)
                .filter(found -> found.bean() instanceof JedisConnectionFactory)
                .map(found -> on(found.name(), (JedisConnectionFactory) found.bean()));
    }

    private FoundConnection on(String name, JedisConnectionFactory factory) {
        SameServer.requireFollowed(name, factory, JedisConnectionFactory.class);
        JedisClientConfiguration client = factory.getClientConfiguration();
        RedisConfig config = address(factory).connection(RedisConfig.Library.JEDIS);
        config = settings.complete(
                config, factory.getDatabase(), settings.timeout(client.getReadTimeout(), Duration.ZERO));
        config = client.isUseSsl() ? config.tls(Tls.defaults()) : config;
        config = client.getClientName().map(config::clientName).orElse(config);
        return new FoundConnection(
                words(config) + ", as Spring Data Redis by the JedisConnectionFactory '" + name + "'",
                new SameServer(name, factory, on(config, client)),
                settings.needed(name));
    }

    /** An SSL bundle comes as a factory of sockets. */
    private static BackendSource on(RedisConfig config, JedisClientConfiguration client) {
        return client.isUseSsl() && client.getSslSocketFactory().isPresent()
                ? RedisBackend.onJedis(
                        config,
                        client.getSslSocketFactory().get(),
                        client.getSslParameters(),
                        client.getHostnameVerifier())
                : RedisBackend.on(config);
    }

    private RedisConfig address(JedisConnectionFactory factory) {
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        if (cluster != null) {
            return at(cluster);
        }
        return sentinel == null ? at(Objects.requireNonNull(factory.getStandaloneConfiguration())) : at(sentinel);
    }

    /** Without credentials. */
    private static String words(RedisConfig config) {
        if (!config.nodes().isEmpty()) {
            return "redis-cluster://" + String.join(",", config.nodes());
        }
        return config.sentinel()
                .map(known -> "redis-sentinel://" + String.join(",", known.addresses()) + "?sentinelMasterId="
                        + known.masterId())
                .orElseGet(() ->
                        RedisSettings.words(config.tls().isPresent(), config.host(), config.port(), config.database()));
    }

    private RedisConfig at(RedisClusterConfiguration cluster) {
        String[] nodes =
                cluster.getClusterNodes().stream().map(RedisNode::asString).toArray(String[]::new);
        return settings.signedIn(RedisConfig.ofCluster(nodes), () -> present(cluster));
    }

    private RedisConfig at(RedisStandaloneConfiguration server) {
        return settings.signedIn(RedisConfig.of(server.getHostName(), server.getPort()), () -> present(server));
    }

    private RedisConfig at(RedisSentinelConfiguration sentinel) {
        String[] addresses =
                sentinel.getSentinels().stream().map(RedisNode::asString).toArray(String[]::new);
        String master = Objects.requireNonNull(
                Objects.requireNonNull(sentinel.getMaster()).getName());
        SentinelConfig sentinels = SentinelConfig.of(master, addresses);
        String secret = sentinel.getSentinelPassword().map(String::new).orElse("");
        String user = sentinel.getSentinelUsername();
        if (!secret.isEmpty()) {
            sentinels = sentinels.credentials(Objects.requireNonNullElse(user, ""), secret);
        }
        return settings.signedIn(RedisConfig.of(sentinels), () -> present(sentinel));
    }

    private static Credentials present(RedisConfiguration.WithAuthentication server) {
        return RedisSettings.credentials(
                server.getUsername(), server.getPassword().map(String::new).orElse(""));
    }
}
