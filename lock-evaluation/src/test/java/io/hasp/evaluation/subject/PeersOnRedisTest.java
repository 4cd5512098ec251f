package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for all peers on Redis. In a JVM of its own beside those on ZooKeeper, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class PeersOnRedisTest {

    @Test
    void all_rules_are_asked_and_at_least_two_known_faults_are_found() {
        Peers.assertFound(
                Peers.all(Peer::onRedis),
                2,
                // Redisson #2714, #4368: an interrupted tryLock leaves the lock taken.
                tuple("ap1_interrupt_at_any_moment_leaves_nothing_held", "redisson-rlock"),
                // Redisson #2883, #3730: whoever gives up in a fair queue blocks it for those who come next.
                tuple("ap1_interrupt_ends_a_wait_and_leaves_no_place_in_the_queue", "redisson-fairlock"),
                // As Redisson #1763, #5761: a missed notification, and no poll behind it.
                tuple("li3_waiter_wakes_when_the_notification_is_lost", "spring-redis"));
    }
}
