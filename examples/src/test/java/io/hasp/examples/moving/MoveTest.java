package io.hasp.examples.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The move from Redis to ZooKeeper, with old and new instances at work at the same time. */
@Timeout(120)
class MoveTest {

    @Test
    void old_and_new_instances_exclude_each_other_and_tokens_only_grow() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            assertThat(Move.run(redis.uri(), "zookeeper://" + zookeeper.connectString()))
                    .isEqualTo(new Store.Report(8 * 20, 0, 0));
        }
    }
}
