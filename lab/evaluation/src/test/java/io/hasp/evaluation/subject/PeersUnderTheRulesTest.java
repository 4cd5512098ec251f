package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.evaluation.subject.Peers.Finding;
import io.hasp.evaluation.subject.Peers.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The suite applies the same rules to the peers as to Hasp. */
@InTier(Tier.STANDARD)
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
    void a_peer_is_asked_in_processes_of_its_own() {
        assertThat(Peers.some(Peer.RLOCK, List.of("me1_client_processes_lose_no_update_of_a_counter")))
                .extracting(Finding::outcome)
                .containsExactly(Outcome.HELD);
    }

    @Test
    void a_fault_of_a_peer_is_found_and_told_without_failing_the_build() {
        List<Finding> trialResult = Peers.some(Peer.SPRING_ZOOKEEPER, List.of("ap2_zero_wait_on_a_free_lock_succeeds"));

        assertThat(trialResult).singleElement().satisfies(finding -> {
            assertThat(finding.outcome()).isEqualTo(Outcome.BROKEN);
            assertThat(finding.reason()).contains("zero wait on a lock that nobody ever held");
        });
    }

    private static final String SILENT = "fa11_server_that_does_not_answer_is_an_exception_and_never_busy";

    @Test
    void with_the_command_timeout_that_its_documentation_advises_a_peer_tells_an_outage_in_time() {
        List<Finding> trialResult = Peers.some(Peer.SPRING_REDIS_TIMEOUT, List.of(SILENT));

        assertThat(trialResult)
                .extracting(Finding::subject, Finding::outcome)
                .containsExactly(tuple("spring-redis-timeout", Outcome.HELD));
    }

    @Test
    @EnabledIfSystemProperty(named = "hasp.peers", matches = "all", disabledReason = "waits long: -Dhasp.peers=all")
    void no_answer_within_the_patience_is_late_and_not_broken() {
        List<Finding> trialResult = Peers.some(Peer.SPRING_REDIS, List.of(SILENT));

        assertThat(trialResult)
                .extracting(Finding::subject, Finding::outcome)
                .containsExactly(tuple("spring-redis", Outcome.LATE));
    }

    @Test
    void the_order_of_a_fair_queue_can_be_asked() {
        List<Finding> trialResult =
                Peers.some(Peer.FAIRLOCK, List.of("li6_waiting_clients_are_served_in_the_order_in_which_they_asked"));

        assertThat(trialResult)
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.outcome()).as(finding.reason()).isNotEqualTo(Outcome.SKIPPED));
    }

    @Test
    void curator_tells_of_a_lost_session_and_redlock_and_the_shared_mutex_are_asked() {
        String cutOff = "le5_loss_of_all_renewals_is_noticed_in_time_and_before_another_holds";
        String refused = "me2_second_client_is_refused_while_first_holds";

        assertThat(Peers.some(Peer.CURATOR_SHARED, List.of(cutOff, refused)))
                .extracting(Finding::subject, Finding::outcome)
                .containsOnly(tuple("curator-mutex", Outcome.HELD));
        for (Peer peer :
                List.of(Peer.REDISSON_REDLOCK, Peer.SPINLOCK, Peer.SPRING_REDIS_SPIN, Peer.CURATOR_SEMAPHORE_MUTEX)) {
            assertThat(Peers.some(peer, List.of(refused)))
                    .extracting(Finding::subject, Finding::outcome)
                    .containsExactly(tuple(peer.label(), Outcome.HELD));
        }
    }

    @Test
    void peers_on_a_database_are_asked_and_a_lock_that_does_not_wait_is_not_blamed_for_that() {
        String refused = "me2_second_client_is_refused_while_first_holds";
        String ends = "ow2_release_after_expiry_leaves_the_next_holder_alone";
        String waits = "ap2_wait_for_a_held_lock_ends_empty_and_on_time";

        assertThat(Peers.some(Peer.SPRING_JDBC, List.of(refused, ends)))
                .extracting(Finding::subject, Finding::outcome)
                .containsOnly(tuple("spring-jdbc", Outcome.HELD));
        assertThat(Peers.some(Peer.SHEDLOCK_JDBC, List.of(refused, ends, waits)))
                .extracting(Finding::rule, Finding::outcome)
                .containsExactlyInAnyOrder(
                        tuple(refused, Outcome.HELD), tuple(ends, Outcome.HELD), tuple(waits, Outcome.NOT_OFFERED));
        assertThat(Peers.some(Peer.SHEDLOCK_REDIS, List.of(refused, ends)))
                .as("its release on Redis does not compare the holder, unless safeUpdate is set")
                .extracting(Finding::rule, Finding::outcome)
                .containsExactlyInAnyOrder(tuple(refused, Outcome.HELD), tuple(ends, Outcome.BROKEN));
    }

    @Test
    void an_interrupted_release_is_told_from_an_interrupted_acquisition() {
        List<Finding> trialResult =
                Peers.some(Peer.RLOCK, List.of("ap1_interrupt_at_any_moment_of_a_release_leaves_nothing_held"));

        assertThat(trialResult)
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.outcome()).as(finding.reason()).isIn(Outcome.HELD, Outcome.BROKEN));
        System.out.println(Peers.table(trialResult));
    }
}
