package io.hasp.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.redis.redisson.RedissonNodes;
import io.hasp.redis.server.NodeConnection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Errors of the JVM inside of Redisson's sockets to a node of a cluster. */
class RedissonNodeErrorsTest extends NettyErrorsFixture<NodeConnection> {
    @BeforeAll
    static void inTheFullTier() {
        assumeTrue(
                Tier.current() == Tier.FULL,
                "the full tier only: RedissonErrorsTest has the same faults in every build");
    }

    private final Queue<RedissonNodes> nodes = new ConcurrentLinkedQueue<>();

    @Override
    NodeConnection open() {
        RedissonNodes one = RedissonNodes.open(
                Configs.endpoint(server, COMMAND_TIMEOUT), channel -> FaultyChannel.in(channel, steps));
        nodes.add(one);
        return one.connect("127.0.0.1", server.port());
    }

    @AfterEach
    void closeNodes() {
        nodes.forEach(RedissonNodes::close);
    }
}
