package io.hasp.spring;

import io.hasp.redis.Acknowledgement;
import io.hasp.redis.Eviction;
import io.hasp.redis.RedisConfig;
import io.hasp.spi.Credentials;
import io.hasp.spring.BeansByType.Named;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** What {@code hasp.*} says of the locks on an application's Redis connection. */
record RedisSettings(
        HaspProperties properties, Environment environment, Optional<Named<Supplier<Credentials>>> rotating) {
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(2);
    private static final String ONE_SERVER = "Hasp locks on the master: set hasp.uri=redis://... to that.";

    /** Refuses the properties of an application's connection whose values Redis can't be used with. */
    static void requireValid(HaspProperties properties) {
        RedisConfig any = RedisConfig.of("localhost", 6379);
        String prefix = properties.keyPrefix();
        Duration timeout = properties.commandTimeout();
        try {
            RedisConfig prefixed = prefix == null ? any : any.keyPrefix(prefix);
            // Zero is Lettuce's word for its default of a minute.
            RedisConfig timed = timeout == null ? prefixed : prefixed.commandTimeout(timeout);
            Objects.requireNonNull(
                    acknowledgement(properties).map(wanted -> timed.acknowledge(wanted.replicas(), wanted.within())));
        } catch (IllegalArgumentException e) {
            throw HaspConfigurationException.ofProperty(e);
        }
    }

    private static Optional<Acknowledgement> acknowledgement(HaspProperties properties) {
        Duration within = properties.acknowledgeWithin();
        if (properties.acknowledge() == null) {
            if (within != null) {
                throw new IllegalArgumentException(
                        "acknowledgeWithin is " + within + ", and hasp.acknowledge is not set");
            }
            return Optional.empty();
        }
        return Optional.of(new Acknowledgement(
                properties.acknowledge(), within == null ? Acknowledgement.DEFAULT_WITHIN : within));
    }

    /** How many replicas a grant waits for. */
    Optional<Acknowledgement> acknowledgement() {
        return acknowledgement(properties);
    }

    /** With the replicas that the properties name. */
    RedisConfig acknowledged(RedisConfig config) {
        return acknowledgement()
                .map(wanted -> config.acknowledge(wanted.replicas(), wanted.within()))
                .orElse(config);
    }

    String keyPrefix() {
        return properties.keyPrefix() == null ? RedisConfig.DEFAULT_PREFIX : properties.keyPrefix();
    }

    Eviction eviction() {
        return properties.eviction() == HaspProperties.Eviction.ACCEPTED ? Eviction.ACCEPTED : Eviction.REFUSED;
    }

    /** The client's own default is of no use for locks if it is longer than a lease: nobody chose it. */
    Duration timeout(Duration ofClient, Duration defaultOfClient) {
        if (properties.commandTimeout() != null) {
            return properties.commandTimeout();
        }
        return ofClient.isZero() || ofClient.equals(defaultOfClient) ? USUAL_TIMEOUT : ofClient;
    }

    /** What the properties say, and of which database. */
    RedisConfig complete(RedisConfig config, int database, Duration timeout) {
        return acknowledged(config.database(database)
                .keyPrefix(keyPrefix())
                .eviction(eviction())
                .commandTimeout(timeout));
    }

    /** What a connection presents when it is made. */
    static Credentials credentials(@Nullable String user, @Nullable String password) {
        return new Credentials(user == null ? "" : user, password == null ? "" : password);
    }

    /**
     * Asked for each new connection: the application's bean, or else what the application's connection has at that time.
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

    /** The factory does not tell. */
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
