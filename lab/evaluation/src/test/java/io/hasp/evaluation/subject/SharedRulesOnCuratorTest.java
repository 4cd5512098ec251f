package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for the read-write lock and the semaphore of Curator. In a JVM of its own, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class SharedRulesOnCuratorTest {

    @Test
    void all_rules_are_asked_and_known_faults_are_found() {
        Peers.assertFound(
                Peers.allShared("curator-"),
                1,
                // Seen here with 5.9.0. Several permits are taken one by one: requests that each have some wait for
                // each other.
                tuple("pe1_permits_are_conserved_over_many_cycles_with_kills", "curator-semaphore"),
                // An interrupted request goes on blocking those behind it.
                tuple("pe6_small_request_enters_when_the_large_one_before_it_gives_up", "curator-semaphore"),
                // As for the mutex: its retries continue beyond the requested wait.
                tuple("pe8_outage_is_an_exception_and_never_busy", "curator-semaphore"));
    }
}
