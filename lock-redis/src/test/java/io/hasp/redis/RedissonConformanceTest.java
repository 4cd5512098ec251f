package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;

/** The rules over the Redisson connection; none is skipped in the full tier. */
class RedissonConformanceTest implements OtherLibraryRules {
    private static final RedisServer REDIS = RedisServer.start();

    @Override
    public RedisServer server() {
        return REDIS;
    }

    @Override
    public Through library() {
        return Through.REDISSON;
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
