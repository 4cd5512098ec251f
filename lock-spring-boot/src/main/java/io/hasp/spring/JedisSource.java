package io.hasp.spring;

import io.hasp.redis.RedisBackend;
import io.hasp.redis.RedisConfig;
import io.hasp.spring.HaspProperties.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** The server of a {@link JedisConnectionFactory}, through Jedis, on connections of our own: its pool may be empty when a lease is due. */
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
        RedisSettings.requireOneServer(name, factory.isRedisClusterAware(), factory.isRedisSentinelAware());
        JedisClientConfiguration client = factory.getClientConfiguration();
        if (client.getSslSocketFactory().isPresent()
                || client.getHostnameVerifier().isPresent()) {
            throw new HaspConfigurationException(
                    "the JedisConnectionFactory '" + name
                            + "' has an SSLSocketFactory of its own (an SSL bundle), which Hasp can't take over",
                    "Set hasp.uri=rediss://...?trustStore=FILE, or use Lettuce (spring.data.redis.client-type=lettuce).",
                    null);
        }
        RedisStandaloneConfiguration server = Objects.requireNonNull(factory.getStandaloneConfiguration());
        Duration timeout = settings.timeout(client.getReadTimeout(), Duration.ZERO);
        RedisConfig config = RedisSettings.with(
                settings.config(server.getHostName(), server.getPort(), server.getDatabase(), timeout),
                server.getUsername(),
                server.getPassword().map(String::new).orElse(""));
        config = config.connection(RedisConfig.Library.JEDIS);
        config = client.isUseSsl() ? config.encrypted() : config;
        String words = RedisSettings.words(config.tls(), config.host(), config.port(), config.database());
        return new FoundConnection(
                words + ", as Spring Data Redis by the JedisConnectionFactory '" + name + "'",
                RedisBackend.on(config),
                List.of(name));
    }
}
