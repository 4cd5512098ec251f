package io.hasp.redis;

import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The parts of a {@code RedisConfig} while it is put together, the defaults at first; nothing is checked. Not thread-safe. */
final class RedisConfigBuilder {
    String host = "";
    int port = 6379;
    int database;
    Optional<Supplier<Credentials>> credentials = Optional.empty();
    Optional<Tls> tls = Optional.empty();
    RedisLocks locks = RedisLocks.defaults();
    Duration commandTimeout = Duration.ofSeconds(2);
    /** The name of a library, in lower case. */
    Optional<String> connection = Optional.empty();

    Optional<SentinelConfig> sentinel = Optional.empty();
    List<String> nodes = List.of();
    Optional<String> clientName = Optional.empty();

    /** The defaults. */
    RedisConfigBuilder() {}
}
