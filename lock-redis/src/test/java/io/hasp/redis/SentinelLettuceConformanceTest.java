package io.hasp.redis;

import io.hasp.conformance.servers.SentinelServers;
import io.hasp.redis.RedisConfig.Library;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The rules on the master that sentinels name, through Lettuce. No failover happens by itself: rules stop the master for long. */
class SentinelLettuceConformanceTest implements SentinelConformance {
    private static final SentinelServers SERVERS = SentinelServers.start(Duration.ofMinutes(10));

    @Override
    public SentinelServers servers() {
        return SERVERS;
    }

    @Override
    public Library library() {
        return Library.LETTUCE;
    }

    @AfterAll
    static void stop() {
        SERVERS.close();
    }
}
