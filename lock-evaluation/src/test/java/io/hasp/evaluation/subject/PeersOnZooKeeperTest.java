package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for all peers on ZooKeeper. In a JVM of its own beside those on Redis, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class PeersOnZooKeeperTest {

    @Test
    void all_rules_are_asked_and_at_least_one_known_fault_is_found() {
        Peers.assertFound(
                Peers.all(peer -> !peer.onRedis()),
                1,
                // Spring Integration #1863, #1913: the wait is not what the caller asked for.
                tuple("ap2_zero_wait_on_a_free_lock_succeeds", "spring-zookeeper"),
                // As DistributedLock #156, #191, #242: an outage looks like contention.
                tuple("fa11_server_that_is_down_is_an_exception_and_never_busy", "spring-zookeeper"));
    }
}
