package io.hasp.redis;

import io.hasp.spi.Credentials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of a {@code RedisConfig} while it is put together, the defaults at first; nothing is checked. Not thread-safe. */
final class RedisConfigBuilder {
    String host = "";
    int port = 6379;
    int database;

    @Nullable
    String user;

    @Nullable
    String password;

    @Nullable
    Supplier<Credentials> credentials;

    boolean tls;

    @Nullable
    Path trustStore;

    @Nullable
    String trustStorePassword;

    @Nullable
    Path keyStore;

    @Nullable
    String keyStorePassword;

    RedisLocks locks = RedisLocks.defaults();
    Duration commandTimeout = Duration.ofSeconds(2);
    /** The name of a library, in lower case. */
    @Nullable
    String connection;

    Duration spin = Duration.ofNanos(200_000);
    @Nullable
    SentinelConfig sentinel;

    List<String> nodes = List.of();

    @Nullable
    String clientName;

    /** The defaults. */
    RedisConfigBuilder() {}
}
