package io.hasp.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules with {@code notify=poll}: no message wakes a waiter. */
class PollingConformanceTest implements ServerClockRules {
    private static final RedisServer REDIS = RedisServer.start("timeout 1");

    @BeforeAll
    static void inTheFullTier() {
        assumeTrue(Tier.current() == Tier.FULL, "the full tier only: PollingTest has waiters of such clients");
    }

    @Override
    public RedisServer server() {
        return REDIS;
    }

    @Override
    public Library library() {
        return Library.JEDIS;
    }

    @Override
    public boolean polls() {
        return true;
    }

    @Override
    public boolean mayKeep() {
        return false;
    }

    @Override
    public Set<String> skips() {
        return Set.of("no kept locks are offered: no message could recall them");
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
