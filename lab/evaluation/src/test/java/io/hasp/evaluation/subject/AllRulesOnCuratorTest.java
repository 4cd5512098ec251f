package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for the mutex of Curator. In a JVM of its own, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class AllRulesOnCuratorTest {

    @Test
    void all_rules_are_asked_and_a_known_fault_is_found() {
        Peers.assertFound(
                Peers.all("curator-"),
                1,
                // Seen here with 5.9.0: its retries continue beyond the requested wait.
                tuple("fa11_server_that_does_not_answer_is_an_exception_and_never_busy", "curator-mutex-per-thread"),
                tuple(
                        "fa4_request_that_a_stopped_server_serves_late_takes_the_lock_for_nobody",
                        "curator-mutex-per-thread"));
    }
}
