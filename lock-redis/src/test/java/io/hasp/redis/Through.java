package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendSource;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/** The client library below the locks of a test: Jedis and Lettuce by a URI, Redisson by a client of an application. */
public enum Through {
    JEDIS,
    LETTUCE,
    REDISSON;

    private static final String ON_REDISSON = "connection=redisson";

    /** By its name in lower case. */
    static Through of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** As a URI of a test has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** To a server as the configuration says. */
    BackendSource source(RedisConfig config) {
        return this == REDISSON
                ? ApplicationRedisson.source(config)
                : RedisBackend.on(config.connection(RedisConfig.Library.valueOf(name())));
    }

    BackendSource source(RedisServer server, Duration timeout) {
        return source(server.port(), timeout);
    }

    BackendSource source(int port, Duration timeout) {
        return source(RedisConfig.of("127.0.0.1", port).commandTimeout(timeout));
    }

    /** A URI of {@link ApplicationRedisson} instead of one with {@code connection=redisson}. */
    static String uri(String uri) {
        return uri.contains(ON_REDISSON)
                ? ApplicationRedisson.SCHEME + uri.replace(ON_REDISSON, "connection=jedis")
                : uri;
    }

    /** By a URI, in which {@code connection=redisson} stands for a client of an application. */
    static BackendSource source(String uri) {
        URI known = URI.create(uri(uri));
        return uri.contains(ON_REDISSON)
                ? new ApplicationRedisson().source(known)
                : RedisBackend.on(RedisConfig.of(known));
    }
}
