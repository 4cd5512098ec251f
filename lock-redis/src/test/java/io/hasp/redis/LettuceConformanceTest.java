package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;

/** The rules over the Lettuce connection; none is skipped in the full tier. */
class LettuceConformanceTest implements OtherLibraryRules {
    private static final RedisServer REDIS = RedisServer.start();

    @Override
    public RedisServer server() {
        return REDIS;
    }

    @Override
    public Through library() {
        return Through.LETTUCE;
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
