package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for the locks of Redisson. In a JVM of its own, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class AllRulesOnRedissonTest {

    @Test
    void all_rules_are_asked_and_a_known_fault_is_found() {
        Peers.assertFound(
                Peers.all("redisson-"),
                1,
                // Redisson #2714, #4368: an interrupted tryLock leaves the lock taken.
                tuple("ap1_interrupt_at_any_moment_leaves_nothing_held", "redisson-rlock"),
                // Redisson #2883, #3730: a caller that gives up in a fair queue blocks it for those behind.
                tuple("ap1_interrupt_ends_a_wait_and_leaves_no_place_in_the_queue", "redisson-fairlock"));
    }
}
