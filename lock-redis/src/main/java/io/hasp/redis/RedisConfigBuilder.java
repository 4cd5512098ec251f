package io.hasp.redis;

import io.hasp.redis.RedisConfig.Library;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of a {@link RedisConfig} while it is put together; nothing is checked before {@link #config}. Not thread-safe. */
final class RedisConfigBuilder {
    String host = "";
    int port = 6379;
    int database;

    @Nullable
    String user;

    @Nullable
    String password;

    boolean tls;

    @Nullable
    Path trustStore;

    @Nullable
    String trustStorePassword;

    @Nullable
    Path keyStore;

    @Nullable
    String keyStorePassword;

    String keyPrefix = RedisConfig.DEFAULT_PREFIX;
    Duration commandTimeout = RedisConfig.DEFAULT_TIMEOUT;
    Library connection = Library.JEDIS;
    Duration spin = RedisConfig.DEFAULT_SPIN;

    /** The defaults. */
    RedisConfigBuilder() {}

    /** Another configuration with some parts changed. */
    static RedisConfig changed(RedisConfig from, Consumer<RedisConfigBuilder> change) {
        RedisConfigBuilder parts = new RedisConfigBuilder();
        parts.host = from.host();
        parts.port = from.port();
        parts.database = from.database();
        parts.user = from.user().orElse(null);
        parts.password = from.password().orElse(null);
        parts.tls = from.tls();
        parts.trustStore = from.trustStore().orElse(null);
        parts.trustStorePassword = from.trustStorePassword().orElse(null);
        parts.keyStore = from.keyStore().orElse(null);
        parts.keyStorePassword = from.keyStorePassword().orElse(null);
        parts.keyPrefix = from.keyPrefix();
        parts.commandTimeout = from.commandTimeout();
        parts.connection = from.connection();
        parts.spin = from.spin();
        change.accept(parts);
        return parts.config();
    }

    RedisConfig config() {
        return new RedisConfig(
                host,
                port,
                database,
                Optional.ofNullable(user),
                Optional.ofNullable(password),
                tls,
                Optional.ofNullable(trustStore),
                Optional.ofNullable(trustStorePassword),
                Optional.ofNullable(keyStore),
                Optional.ofNullable(keyStorePassword),
                keyPrefix,
                commandTimeout,
                connection,
                spin);
    }
}
