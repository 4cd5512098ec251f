package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendSource;
import java.time.Duration;

/** The connection rules, with Jedis. */
class JedisTest implements SilentServerRules {
    private final RedisServer server = RedisServer.start();

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public BackendSource source(RedisServer server, Duration timeout) {
        return Through.JEDIS.source(server, timeout);
    }
}
