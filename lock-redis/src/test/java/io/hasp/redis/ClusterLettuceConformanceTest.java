package io.hasp.redis;

import io.hasp.conformance.servers.ClusterServers;
import io.hasp.redis.RedisConfig.Library;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The rules on a cluster, through Lettuce. No master is ever taken for down: rules stop all of them for long. */
class ClusterLettuceConformanceTest implements ClusterConformance {
    private static final ClusterServers SERVERS = ClusterServers.start(false, Duration.ofMinutes(10));

    @Override
    public ClusterServers servers() {
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
