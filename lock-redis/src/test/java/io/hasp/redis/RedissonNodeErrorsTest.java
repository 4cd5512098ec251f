package io.hasp.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.redis.redisson.RedissonNodes;
import io.hasp.redis.server.NodeConnection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/** Errors of the JVM inside of the sockets to a node of a cluster, beside an application's Redisson client. */
class RedissonNodeErrorsTest extends NettyErrorsFixture<NodeConnection> {
    @BeforeAll
    static void inTheFullTier() {
        assumeTrue(
                Tier.current() == Tier.FULL,
                "the full tier only: RedissonErrorsTest has the same faults in every build");
    }

    private final Queue<RedissonNodes> nodes = new ConcurrentLinkedQueue<>();
    private final Queue<RedissonClient> clients = new ConcurrentLinkedQueue<>();

    @Override
    NodeConnection open() {
        RedissonClient redisson = Redisson.create(ApplicationRedisson.configuration(
                        RedisConfig.ofCluster("127.0.0.1:" + server.port()).commandTimeout(COMMAND_TIMEOUT))
                .setNettyHook(FaultyChannel.hook(steps)));
        clients.add(redisson);
        RedissonNodes one = RedissonNodes.beside(redisson);
        nodes.add(one);
        return one.connect("127.0.0.1", server.port());
    }

    @AfterEach
    void closeNodes() {
        nodes.forEach(RedissonNodes::close);
        clients.forEach(RedissonClient::shutdown);
    }
}
