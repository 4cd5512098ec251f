package io.hasp.spring.connection;

import io.hasp.redis.Acknowledgement;
import io.hasp.redis.Eviction;
import io.hasp.redis.RedisConfig;
import io.hasp.redis.RedisLocks;
import io.hasp.spi.Credentials;
import io.hasp.spring.HaspConfigurationException;
import io.hasp.spring.HaspProperties;
import io.hasp.spring.connection.BeansByType.Named;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** The settings in {@code hasp.*} for locks on an application's Redis connection. */
public record RedisSettings(
        HaspProperties properties, Environment environment, Optional<Named<Supplier<Credentials>>> rotating) {
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(2);
    private static final String ONE_SERVER = "Hasp locks on the master: set hasp.uri=redis://... to that.";

    /** Refuses unusable values of the properties for an application's connection. */
    public static void requireValid(HaspProperties properties) {
        RedisConfig any = RedisConfig.of("localhost", 6379);
        Duration timeout = properties.commandTimeout();
        try {
            // Zero means Lettuce's default of a minute.
            RedisConfig timed = timeout == null ? any : any.commandTimeout(timeout);
            Objects.requireNonNull(timed.locks(locks(properties)));
        } catch (IllegalArgumentException e) {
            throw HaspConfigurationException.ofProperty(e);
        }
    }

    private static RedisLocks locks(HaspProperties properties) {
        RedisLocks locks = RedisLocks.defaults()
                .eviction(
                        properties.eviction() == HaspProperties.Eviction.ACCEPTED
                                ? Eviction.ACCEPTED
                                : Eviction.REFUSED);
        locks = properties.keyPrefix() == null ? locks : locks.keyPrefix(properties.keyPrefix());
        Duration within = properties.acknowledgeWithin();
        if (properties.acknowledge() != null) {
            return locks.acknowledge(
                    properties.acknowledge(), Objects.requireNonNullElse(within, Acknowledgement.DEFAULT_WITHIN));
        }
        if (within != null) {
            throw new IllegalArgumentException("acknowledgeWithin is " + within + ", and hasp.acknowledge is not set");
        }
        return locks;
    }

    RedisLocks locks() {
        return locks(properties);
    }

    /** The client library's default is not used if it is longer than a lease: it was not chosen for locks. */
    public Duration timeout(Duration ofClient, Duration defaultOfClient) {
        if (properties.commandTimeout() != null) {
            return properties.commandTimeout();
        }
        return ofClient.isZero() || ofClient.equals(defaultOfClient) ? USUAL_TIMEOUT : ofClient;
    }

    /** Applies the properties and the database. */
    RedisConfig complete(RedisConfig config, int database, Duration timeout) {
        return config.database(database).commandTimeout(timeout).locks(locks());
    }

    /** Returns the credentials for a connection. */
    static Credentials credentials(@Nullable String user, @Nullable String password) {
        return new Credentials(user == null ? "" : user, password == null ? "" : password);
    }

    /**
     * Returns the source of credentials, called for each new connection: the application's bean, or else the current
     * credentials of the application's connection.
     *
     * @return empty if neither has any
     */
    Optional<Supplier<Credentials>> credentials(Supplier<Credentials> ofConnection) {
        if (rotating.isPresent()) {
            return rotating.map(Named::bean);
        }
        Credentials present = ofConnection.get();
        return present.user().isEmpty() && present.password().isEmpty() ? Optional.empty() : Optional.of(ofConnection);
    }

    RedisConfig signedIn(RedisConfig config, Supplier<Credentials> ofConnection) {
        return credentials(ofConnection).map(config::credentials).orElse(config);
    }

    /** A connection of the application, to be destroyed after the client. */
    List<String> needed(String... beans) {
        return Stream.concat(Stream.of(beans), rotating.map(Named::name).stream())
                .toList();
    }

    /** The factory does not expose its replicas. */
    void requireNoReplicas(String bean) {
        if (environment.containsProperty("spring.data.redis.masterreplica.nodes")
                || environment.containsProperty("spring.data.redis.masterreplica.nodes[0]")) {
            throw new HaspConfigurationException(
                    "the RedisConnectionFactory '" + bean
                            + "' uses a master with replicas (spring.data.redis.masterreplica.nodes), which Hasp does not support",
                    ONE_SERVER,
                    null);
        }
    }

    static String words(boolean tls, String host, int port, int database) {
        return (tls ? "rediss://" : "redis://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port
                + (database == 0 ? "" : "/" + database);
    }
}
