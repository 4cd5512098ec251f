package io.hasp.redis.redisson;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisClientConfig;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;

/**
 * The application's settings for its client's sockets: credentials, TLS, keep-alive, hooks and so on, by the names of the options.
 * Redisson 4 has most of them in the configuration itself, Redisson 3 in that of the servers, and both read both.
 */
final class RedissonSettings {
    /** Options that depend on the node, or that Hasp sets. */
    private static final Set<String> NOT_COPIED = Set.of(
            "Address",
            "CommandTimeout",
            "ConnectedListener",
            "Database",
            "DisconnectedListener",
            "Executor",
            "FailedNodeDetector",
            "Group",
            "PingConnectionInterval",
            "Protocol",
            "ReadOnly",
            "ResolverGroup",
            "SocketChannelClass",
            // Older words for the verification mode.
            "SslEnableEndpointIdentification",
            "SslHostname",
            "Timer");

    private RedissonSettings() {}

    static void copy(Config from, RedisClientConfig to) {
        ClusterServersConfig servers = from.useClusterServers();
        Config untouched = new Config();
        ClusterServersConfig untouchedServers = untouched.useClusterServers();
        for (Method setter : RedisClientConfig.class.getMethods()) {
            String option =
                    setter.getName().substring(Math.min(3, setter.getName().length()));
            if (!setter.getName().startsWith("set") || setter.getParameterCount() != 1 || NOT_COPIED.contains(option)) {
                continue;
            }
            Optional<Object> value = changed(from, untouched, option)
                    .or(() -> changed(servers, untouchedServers, option))
                    .or(() -> option.equals("KeepAlive") ? changed(from, untouched, "TcpKeepAlive") : Optional.empty())
                    .or(() -> Optional.ofNullable(value(servers, option)))
                    .or(() -> Optional.ofNullable(value(from, option)));
            value.ifPresent(known -> call(setter, to, known));
        }
    }

    /** Of options that are no plain values, one of the class of the default is taken for the default. */
    private static Optional<Object> changed(Object config, Object untouched, String option) {
        Object value = value(config, option);
        Object before = value(untouched, option);
        boolean sameKind = value != null
                && before != null
                && !(value instanceof Comparable)
                && value.getClass() == before.getClass();
        return sameKind || Objects.equals(value, before) ? Optional.empty() : Optional.ofNullable(value);
    }

    private static @Nullable Object value(Object config, String option) {
        for (String prefix : new String[] {"get", "is"}) {
            try {
                return call(config.getClass().getMethod(prefix + option), config);
            } catch (NoSuchMethodException e) {
                // It is called otherwise, or is in the other configuration.
            }
        }
        return null;
    }

    private static @Nullable Object call(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Redisson's " + method, e);
        }
    }
}
