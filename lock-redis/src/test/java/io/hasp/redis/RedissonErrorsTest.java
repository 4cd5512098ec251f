package io.hasp.redis;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.redisson.RedissonMaster;
import io.hasp.redis.server.RedisConnection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/** Errors of the JVM inside of the sockets that an application's Redisson client makes. */
@InTier(Tier.STANDARD)
class RedissonErrorsTest extends NettyErrorsFixture<RedisConnection> {
    private final Queue<RedissonClient> clients = new ConcurrentLinkedQueue<>();

    @Override
    RedisConnection open() {
        RedissonClient redisson = Redisson.create(ApplicationRedisson.configuration(
                        RedisConfig.of("127.0.0.1", server.port()).commandTimeout(COMMAND_TIMEOUT))
                .setNettyHook(FaultyChannel.hook(steps)));
        clients.add(redisson);
        return RedissonMaster.of(redisson);
    }

    @AfterEach
    void shutDown() {
        steps.failAt(0);
        clients.forEach(RedissonClient::shutdown);
    }
}
