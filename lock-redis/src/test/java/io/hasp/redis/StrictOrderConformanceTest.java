package io.hasp.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The rules with {@code ordering=fifo}: nothing is handed on within a process, so that its threads wait their turn, too. */
class StrictOrderConformanceTest implements ServerClockRules {
    private static final RedisServer REDIS = RedisServer.start("timeout 1");

    @BeforeAll
    static void inTheFullTier() {
        assumeTrue(
                Tier.current() == Tier.FULL,
                "the full tier only: the rules in RedisConformanceTest have the same scripts, and the simulator this order");
    }

    @Override
    public RedisServer server() {
        return REDIS;
    }

    @Override
    public Through library() {
        return Through.JEDIS;
    }

    @Override
    public boolean inStrictOrder() {
        return true;
    }

    @Override
    public boolean mayKeep() {
        return false;
    }

    @Override
    public Set<String> skips() {
        return Set.of("no kept locks are offered: the options exclude them");
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
