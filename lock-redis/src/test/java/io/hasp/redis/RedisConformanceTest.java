package io.hasp.redis;

import io.hasp.conformance.rules.support.LendsServers;
import io.hasp.conformance.rules.support.RuleServers;
import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** The rules on one Redis server, through Jedis, the default connection; none is skipped. */
@LendsServers
class RedisConformanceTest implements ServerClockRules {
    private static final RuleServers<RedisServer> SERVERS = new RuleServers<>(8, () -> RedisServer.start("timeout 1"));

    private RedisServer server = SERVERS.shared();

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public Through library() {
        return Through.JEDIS;
    }

    @BeforeEach
    void lend(TestInfo rule) throws InterruptedException {
        server = SERVERS.lend(rule);
    }

    @AfterEach
    void giveBack() {
        SERVERS.giveBack(server);
    }

    @AfterAll
    static void stop() {
        SERVERS.close();
    }
}
