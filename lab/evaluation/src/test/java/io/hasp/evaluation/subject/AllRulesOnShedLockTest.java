package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for the locks of ShedLock. In a JVM of its own, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class AllRulesOnShedLockTest {

    @Test
    void all_rules_are_asked_and_a_known_fault_is_found() {
        Peers.assertFound(
                Peers.all("shedlock-"),
                1,
                // Seen with ShedLock's defaults on Redis: a release also deletes the key of a later holder.
                tuple("ow2_release_after_expiry_leaves_the_next_holder_alone", "shedlock-redis"));
    }
}
