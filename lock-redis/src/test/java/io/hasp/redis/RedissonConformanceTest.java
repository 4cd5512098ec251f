package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.LockName;
import org.junit.jupiter.api.AfterAll;

/** The rules over the Redisson connection; none is skipped. */
class RedissonConformanceTest implements HaspConformance {
    private static final RedisServer REDIS = RedisServer.start();

    @Override
    public HaspSubject subject() {
        return HaspSubject.at("hasp-redis-redisson", REDIS.uri() + "?connection=redisson", Claimed.FIFO);
    }

    @Override
    public Faults faults() {
        return new RedisFaults(REDIS, name -> new Keys(RedisConfig.DEFAULT_PREFIX).lock(new LockName(name)));
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
