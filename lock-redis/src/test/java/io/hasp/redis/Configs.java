package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.redis.RedisConfig.Library;
import io.hasp.redis.server.RedisEndpoint;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/** Configurations for servers under test. */
public final class Configs {

    private Configs() {}

    public static RedisConfig of(RedisServer server, Library library, Duration timeout) {
        return at(server.port(), library, timeout);
    }

    /** As a client library gets it. */
    public static RedisEndpoint endpoint(RedisServer server, Duration timeout) {
        return endpoint(server.port(), timeout);
    }

    /** The same, for what listens on a port of this machine. */
    public static RedisEndpoint endpoint(int port, Duration timeout) {
        return at(port, Library.JEDIS, timeout).endpoint();
    }

    /** The master that sentinels name. */
    public static RedisEndpoint endpoint(SentinelServers servers, Duration timeout) {
        return RedisConfig.of(URI.create("redis-sentinel://" + servers.addresses() + "?sentinelMasterId="
                        + SentinelServers.MASTER_ID + "&commandTimeout=" + timeout))
                .endpoint();
    }

    /** For what listens on a port of this machine. */
    public static RedisConfig at(int port, Library library, Duration timeout) {
        return RedisConfig.of(URI.create("redis://127.0.0.1:" + port + "?commandTimeout=" + timeout + "&connection="
                + library.name().toLowerCase(Locale.ROOT)));
    }
}
