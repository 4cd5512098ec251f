package io.hasp.spring3;

import io.hasp.redis.Acknowledgement;
import io.hasp.redis.Eviction;
import io.hasp.redis.RedisBackend;
import io.hasp.redis.RedisConfig;
import io.hasp.redis.RedisLocks;
import io.hasp.spi.Credentials;
import io.hasp.spring.HaspConfigurationException;
import io.hasp.spring.HaspProperties;
import io.hasp.spring.HaspProperties.Connection;
import io.hasp.spring.connection.ConnectionSource;
import io.hasp.spring.connection.FoundConnection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Standalone;
import org.springframework.core.annotation.Order;

/** The server of a {@link RedisConnectionDetails} bean, such as {@code @ServiceConnection} makes, without Spring Data Redis. */
@Order(0)
final class RedisDetailsSource implements ConnectionSource {
    private final ObjectProvider<RedisConnectionDetails> details;
    private final HaspProperties properties;
    private final ObjectProvider<Supplier<Credentials>> rotating;

    RedisDetailsSource(
            ObjectProvider<RedisConnectionDetails> details,
            HaspProperties properties,
            ObjectProvider<Supplier<Credentials>> rotating) {
        this.details = details;
        this.properties = properties;
        this.rotating = rotating;
    }

    @Override
    public Connection kind() {
        return Connection.PROPERTIES;
    }

    @Override
    public Optional<FoundConnection> find() {
        return Optional.ofNullable(details.getIfUnique()).map(this::on);
    }

    /** Called for each new connection. */
    private static Credentials present(RedisConnectionDetails found) {
        return new Credentials(
                Objects.requireNonNullElse(found.getUsername(), ""),
                Objects.requireNonNullElse(found.getPassword(), ""));
    }

    private RedisLocks locks() {
        RedisLocks locks = RedisLocks.defaults();
        locks = properties.keyPrefix() == null ? locks : locks.keyPrefix(properties.keyPrefix());
        if (properties.acknowledge() != null) {
            locks = locks.acknowledge(
                    properties.acknowledge(),
                    Objects.requireNonNullElse(properties.acknowledgeWithin(), Acknowledgement.DEFAULT_WITHIN));
        }
        return properties.eviction() == HaspProperties.Eviction.ACCEPTED ? locks.eviction(Eviction.ACCEPTED) : locks;
    }

    private FoundConnection on(RedisConnectionDetails found) {
        @Nullable Standalone server = found.getStandalone();
        if (server == null || server.getSslBundle() != null) {
            throw new HaspConfigurationException(
                    "the Redis connection details name "
                            + (server == null ? "no single server" : "an SSL bundle, which Hasp can't take over"),
                    "Set hasp.uri.",
                    null);
        }
        RedisConfig config = RedisConfig.of(server.getHost(), server.getPort()).database(server.getDatabase());
        String password = found.getPassword();
        Supplier<Credentials> given = rotating.getIfAvailable();
        if (given != null) {
            config = config.credentials(given);
        } else if (password != null && !password.isEmpty()) {
            config = config.credentials(() -> present(found));
        }
        config = properties.commandTimeout() == null ? config : config.commandTimeout(properties.commandTimeout());
        config = config.locks(locks());
        return new FoundConnection(
                "redis://" + server.getHost() + ":" + server.getPort() + ", as the Redis connection details say",
                RedisBackend.on(config),
                List.of());
    }
}
