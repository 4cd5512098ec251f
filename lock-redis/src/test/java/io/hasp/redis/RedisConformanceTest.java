package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import org.junit.jupiter.api.AfterAll;

/** The rules on one Redis server, through Jedis, the default connection; none is skipped. */
class RedisConformanceTest implements ServerClockRules {
    private static final RedisServer REDIS = RedisServer.start("timeout 1");

    @Override
    public RedisServer server() {
        return REDIS;
    }

    @Override
    public Library library() {
        return Library.JEDIS;
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
