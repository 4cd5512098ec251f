package io.hasp.spring.connection;

import io.hasp.redis.RedisBackend;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import io.hasp.spring.HaspConfigurationException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Refuses a connection factory that leads to another server than Hasp's own connections. Its configuration may be of a
 * class that Hasp does not support; then the factory's getters return {@code localhost}.
 */
record SameServer(String name, RedisConnectionFactory factory, BackendSource ours) implements BackendSource {
    private static final Log LOG = LogFactory.getLog("io.hasp.spring");
    private static final Set<String> OF_THE_LIBRARY = Set.of(
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
            "org.springframework.data.redis.connection.jedis.JedisConnectionFactory");
    private static final List<Class<?>> FOLLOWED = List.of(
            RedisStandaloneConfiguration.class,
            RedisSentinelConfiguration.class,
            RedisClusterConfiguration.class,
            RedisSocketConfiguration.class);

    /** Checks the factory before any connection is opened. */
    static void requireFollowed(String name, RedisConnectionFactory factory, Class<?> declaring) {
        Object configuration = configuration(factory, declaring);
        if (configuration != null && FOLLOWED.stream().noneMatch(known -> known.isInstance(configuration))) {
            throw refused(
                    name,
                    "has a " + configuration.getClass().getSimpleName() + ", which Hasp can't follow to its server");
        }
    }

    /** Returns null if it can't be read: the servers are compared later in any case. */
    private static @Nullable Object configuration(RedisConnectionFactory factory, Class<?> declaring) {
        for (Field field : declaring.getDeclaredFields()) {
            if (field.getType() == RedisConfiguration.class && field.trySetAccessible()) {
                try {
                    return field.get(factory);
                } catch (IllegalAccessException e) {
                    return null;
                }
            }
        }
        return null;
    }

    /** Uses a client as it is, beside the one factory for the data, which may be another library's. */
    static BackendSource beside(ListableBeanFactory beans, Object client, BackendSource backend) {
        String[] names = beans.getBeanNamesForType(RedisConnectionFactory.class);
        if (names.length != 1) {
            return backend;
        }
        RedisConnectionFactory factory = beans.getBean(names[0], RedisConnectionFactory.class);
        return isOfTheLibrary(factory) || uses(factory, client) ? backend : new SameServer(names[0], factory, backend);
    }

    /** Redisson's own factory does, where it is made from the bean. */
    private static boolean uses(RedisConnectionFactory factory, Object client) {
        for (Field field : ClassUtils.getUserClass(factory).getDeclaredFields()) {
            if (field.getType().isInstance(client)
                    && field.trySetAccessible()
                    && ReflectionUtils.getField(field, factory) == client) {
                return true;
            }
        }
        return false;
    }

    @Override
    public LockBackend open(BackendContext context) {
        LockBackend backend = ours.open(context);
        boolean same = false;
        try {
            requireSame(backend);
            same = true;
            return backend;
        } finally {
            if (!same) {
                backend.close();
            }
        }
    }

    @Override
    public Optional<BackendDeclaration> declaration() {
        return ours.declaration();
    }

    private void requireSame(LockBackend backend) {
        Set<String> ids = backend instanceof RedisBackend redis ? redis.replicationIds() : Set.of();
        Set<String> theirs;
        try {
            theirs = ids.isEmpty() ? Set.of() : seenThroughFactory();
        } catch (IllegalStateException notStarted) {
            LOG.debug(
                    "The RedisConnectionFactory '" + name + "' is not started, and its server not compared",
                    notStarted);
            return;
        }
        if (theirs.isEmpty()) {
            requireKnownClass();
        } else if (theirs.stream().noneMatch(ids::contains)) {
            throw refused(name, "leads to another server than Hasp's own connection, so Hasp would lock elsewhere");
        }
    }

    /** Lettuce's or Jedis's, and no subclass. */
    static boolean isOfTheLibrary(RedisConnectionFactory factory) {
        return OF_THE_LIBRARY.contains(ClassUtils.getUserClass(factory).getName());
    }

    /** Only the library's own classes are known to connect to the server that they report. */
    private void requireKnownClass() {
        if (!isOfTheLibrary(factory)) {
            throw refused(
                    name,
                    "is a " + ClassUtils.getUserClass(factory).getSimpleName()
                            + ", a class of its own, and its user may not ask INFO, so Hasp can't"
                            + " compare its server with that of its own connection");
        }
    }

    /** Returns an empty set if requests to the servers are not allowed. */
    private Set<String> seenThroughFactory() {
        try (RedisConnection connection = factory.getConnection()) {
            var info = connection.serverCommands().info("replication");
            return info == null
                    ? Set.of()
                    : info.stringPropertyNames().stream()
                            .filter(key -> key.endsWith("master_replid"))
                            .map(info::getProperty)
                            .collect(Collectors.toSet());
        } catch (RedisConnectionFailureException e) {
            throw refused(name, "does not connect, and Hasp's own connection by its configuration does");
        } catch (IllegalStateException notStarted) {
            throw notStarted;
        } catch (RuntimeException e) {
            LOG.debug("The server of the RedisConnectionFactory '" + name + "' can't be compared", e);
            return Set.of();
        }
    }

    private static HaspConfigurationException refused(String name, String why) {
        return new HaspConfigurationException(
                "the RedisConnectionFactory '" + name + "' " + why,
                "Set hasp.uri=redis://... to the server, or the master, that is to have the locks.",
                null);
    }
}
