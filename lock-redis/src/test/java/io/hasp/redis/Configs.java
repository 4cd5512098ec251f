package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/** Configurations for servers under test. */
final class Configs {

    private Configs() {}

    static RedisConfig of(RedisServer server, Library library, Duration timeout) {
        return RedisConfig.of(URI.create(server.uri() + "?commandTimeout=" + timeout + "&connection="
                + library.name().toLowerCase(Locale.ROOT)));
    }
}
