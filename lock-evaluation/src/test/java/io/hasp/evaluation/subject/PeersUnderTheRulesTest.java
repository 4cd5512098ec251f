package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.evaluation.subject.Peers.Finding;
import io.hasp.evaluation.subject.Peers.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The suite asks the peers what it asks Hasp. */
class PeersUnderTheRulesTest {
    @Test
    void a_peer_keeps_rules_and_is_not_blamed_for_what_it_does_not_offer() {
        String refused = "me2_second_client_is_refused_while_first_holds";
        String owned = "ow1_release_by_a_non_owner_is_refused_and_leaves_the_lock_intact";
        String tokens = "fe1_tokens_increase_strictly";

        List<Finding> trialResult = Peers.some(Peer.RLOCK, List.of(refused, owned, tokens));

        assertThat(trialResult)
                .extracting(Finding::rule, Finding::subject, Finding::outcome)
                .containsExactlyInAnyOrder(
                        tuple(refused, "redisson-rlock", Outcome.HELD),
                        tuple(owned, "redisson-rlock", Outcome.HELD),
                        tuple(tokens, "redisson-rlock", Outcome.NOT_OFFERED));
    }

    @Test
    void a_fault_of_a_peer_is_found_and_told_without_failing_the_build() {
        List<Finding> trialResult = Peers.some(Peer.SPRING_ZOOKEEPER, List.of("ap2_zero_wait_on_a_free_lock_succeeds"));

        assertThat(trialResult).singleElement().satisfies(finding -> {
            assertThat(finding.outcome()).isEqualTo(Outcome.BROKEN);
            assertThat(finding.reason()).contains("zero wait on a lock that nobody ever held");
        });
    }
}
