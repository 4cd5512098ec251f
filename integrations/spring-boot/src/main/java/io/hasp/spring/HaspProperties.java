package io.hasp.spring;

import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.OnLoss;
import io.hasp.Ordering;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code hasp.*}. An unknown property is refused. Immutable.
 *
 * @param enabled Whether lock clients and locked methods are configured.
 * @param uri Lock service of the client without a name, such as redis://127.0.0.1:6379. Without it the application's
 *     connection is used.
 * @param connection The application's connection to use without hasp.uri, if it has several.
 * @param keyPrefix Prefix of all keys and channels on Redis, and of the tables in PostgreSQL, if the application's
 *     connection is used. By default hasp.
 * @param commandTimeout Time limit for a connection and for one answer of the server, if the application's connection is
 *     used. By default the timeout of that connection, else 2s.
 * @param eviction Whether a Redis server that may evict locks is accepted, if the application's connection is used.
 * @param acknowledge Number of replicas that must have received a grant before it counts, if the application's
 *     connection to Redis is used. By default none.
 * @param acknowledgeWithin Time limit for these replicas. By default 50ms.
 * @param label Name of this application for people who look at locks. By default spring.application.name with the host and
 *     the process id. For all clients; a URI wins.
 * @param ordering Order in which waiting clients get a lock. A service that does not support it is refused. For all
 *     clients; a URI wins.
 * @param renewedLease Time for which the server keeps a lock without renewal. By default 30s. For all clients; a URI
 *     wins.
 * @param unavailableAfter Time for which an acquisition without a limit continues during an outage. By default the
 *     renewed lease. For all clients; a URI wins.
 * @param maxHold Longest time for which a lock is held. For all clients; a URI wins.
 * @param keep Time for which a lock stays with its client after a release. By default not at all. For all clients; a
 *     URI wins.
 * @param onLoss Effect of a lost lock on the work under it: it continues, or is interrupted. By default it continues.
 *     For all clients; a URI wins, and so does the option of a lock or a locked method.
 * @param closeWithin Longest wait of the application's end for work under locks. By default the timeout of a phase of
 *     Spring's shutdown. For all clients.
 * @param connect Whether clients connect as the application starts, which fails without the service, or when a call
 *     needs it. By default as the application starts. For all clients; a URI wins.
 * @param postgres Locks in the PostgreSQL database of the application's DataSource.
 * @param metrics Metrics of the clients.
 * @param observations Observations of the calls of locked methods.
 * @param clients Further clients, by their names.
 * @param election Candidate of a leader election.
 */
@ConfigurationProperties(prefix = "hasp", ignoreUnknownFields = false)
public record HaspProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String uri,
        @Nullable Connection connection,
        @Nullable String keyPrefix,
        @Nullable Duration commandTimeout,
        @DefaultValue("refused") Eviction eviction,
        @Nullable Integer acknowledge,
        @Nullable Duration acknowledgeWithin,
        @Nullable String label,
        @Nullable Ordering ordering,
        @Nullable Duration renewedLease,
        @Nullable Duration unavailableAfter,
        @Nullable Duration maxHold,
        @Nullable Duration keep,
        @Nullable OnLoss onLoss,
        @Nullable Duration closeWithin,
        @Nullable Connect connect,
        @DefaultValue Postgres postgres,
        @DefaultValue Metrics metrics,
        @DefaultValue Observations observations,
        @DefaultValue Map<String, Client> clients,
        @Nullable Election election) {

    /** A connection of the application. */
    public enum Connection {
        /** The {@code LettuceConnectionFactory} of Spring Data Redis. */
        LETTUCE,
        /** The {@code JedisConnectionFactory} of Spring Data Redis. */
        JEDIS,
        /** The server of the {@code spring.data.redis} properties or connection details, without Spring Data Redis. */
        PROPERTIES,
        /** A {@code RedissonClient} bean. */
        REDISSON,
        /** A {@code CuratorFramework} bean. */
        CURATOR,
        /** The PostgreSQL database of a {@code DataSource} bean. Without hasp.connection it is used only if there is no other connection. */
        DATASOURCE
    }

    /**
     * Locks in the PostgreSQL database of the application's DataSource.
     *
     * @param create Whether missing tables and functions are created. Without it an application does not start without them.
     * @param schema Schema of the tables. By default public.
     * @param notification Way in which waiting clients learn of their turn. By default listen.
     * @param poolSize Number of connections of the locks, beside those of the application. By default 4.
     */
    public record Postgres(
            @DefaultValue("false") boolean create,
            @Nullable String schema,
            @Nullable Notification notification,
            @Nullable Integer poolSize) {

        /** The way in which waiting clients learn of their turn. */
        public enum Notification {
            /** By LISTEN, on one connection of the client. */
            LISTEN,
            /** By requests in intervals, behind a pooler in transaction mode. */
            POLL
        }

        /** Returns true if a property has another value than its default. */
        public boolean isSet() {
            return create || schema != null || notification != null || poolSize != null;
        }
    }

    /** The treatment of a Redis server whose {@code maxmemory-policy} lets it evict locks. */
    public enum Eviction {
        /** Refuse it. */
        REFUSED,
        /** Use it: a lock may vanish while it is held. */
        ACCEPTED
    }

    /**
     * A client with a name.
     *
     * @param uri Lock service of this client, such as zookeeper://127.0.0.1:2181.
     */
    public record Client(@Nullable String uri) {}

    /**
     * Candidate of a leader election.
     *
     * @param name Name of the election. Without it there is no candidate.
     * @param label Name of this candidate for people. By default the host and the process id.
     * @param pause Time after work that failed, until the next try. By default 1s.
     */
    public record Election(
            @Nullable String name,
            @Nullable String label,
            @Nullable Duration pause) {}

    /**
     * Metrics of the clients.
     *
     * @param enabled Whether the clients are measured, if there is a MeterRegistry and the artifact lock-micrometer.
     */
    public record Metrics(@DefaultValue("true") boolean enabled) {}

    /**
     * Observations of the calls of locked methods.
     *
     * @param enabled Whether the calls of locked methods are observed, if there is an ObservationRegistry and the artifact
     *     lock-micrometer.
     */
    public record Observations(@DefaultValue("true") boolean enabled) {}

    /** Returns the options of all clients, before their listeners. */
    public ClientOptions options() {
        ClientOptions options = ClientOptions.defaults();
        options = label == null ? options : options.label(label);
        options = renewedLease == null ? options : options.renewedLease(renewedLease);
        options = unavailableAfter == null ? options : options.unavailableAfter(unavailableAfter);
        options = maxHold == null ? options : options.maxHold(maxHold);
        options = ordering == null ? options : options.ordering(ordering);
        options = keep == null ? options : options.keep(keep);
        options = closeWithin == null ? options : options.closeWithin(closeWithin);
        options = onLoss == null ? options : options.onLoss(onLoss);
        return connect == null ? options : options.connect(connect);
    }
}
