package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.evaluation.subject.Peers.Finding;
import io.hasp.evaluation.subject.Peers.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The suite asks the peers what it asks Hasp. What they break is printed and kept in {@code target/peers.json}. */
class PeersUnderTheRulesTest {
    /** What users of these libraries told, or what was seen before, in the suite's words. */
    private static final List<Tuple> KNOWN = List.of(
            // Redisson #2714, #4368: an interrupted tryLock leaves the lock taken.
            tuple("ap1_interrupt_at_any_moment_leaves_nothing_held", "redisson-rlock"),
            // Redisson #2883, #3730: whoever gives up in a fair queue blocks it for those who come next.
            tuple("ap1_interrupt_ends_a_wait_and_leaves_no_place_in_the_queue", "redisson-fairlock"),
            // Spring Integration #1863, #1913: the wait is not what the caller asked for.
            tuple("ap2_zero_wait_on_a_free_lock_succeeds", "spring-zookeeper"),
            // As DistributedLock #156, #191, #242: an outage looks like contention.
            tuple("fa11_server_that_is_down_is_an_exception_and_never_busy", "spring-zookeeper"),
            // As Redisson #1763, #5761: a missed notification, and no poll behind it.
            tuple("li3_waiter_wakes_when_the_notification_is_lost", "spring-redis"));

    @Test
    void a_peer_keeps_rules_and_is_not_blamed_for_what_it_does_not_offer() {
        String refused = "me2_second_client_is_refused_while_first_holds";
        String owned = "ow1_release_by_a_non_owner_is_refused_and_leaves_the_lock_intact";
        String tokens = "fe1_tokens_increase_strictly";

        List<Finding> findings = Peers.some(Peer.RLOCK, List.of(refused, owned, tokens));

        assertThat(findings)
                .extracting(Finding::rule, Finding::subject, Finding::outcome)
                .containsExactlyInAnyOrder(
                        tuple(refused, "redisson-rlock", Outcome.HELD),
                        tuple(owned, "redisson-rlock", Outcome.HELD),
                        tuple(tokens, "redisson-rlock", Outcome.NOT_OFFERED));
    }

    @Test
    void a_fault_of_a_peer_is_found_and_told_without_failing_the_build() {
        List<Finding> findings = Peers.some(Peer.SPRING_ZOOKEEPER, List.of("ap2_zero_wait_on_a_free_lock_succeeds"));

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.outcome()).isEqualTo(Outcome.BROKEN);
            assertThat(finding.reason()).contains("zero wait on a lock that nobody ever held");
        });
    }

    @Test
    @EnabledIfSystemProperty(
            named = "hasp.peers",
            matches = "all",
            disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
    void all_peers_are_asked_all_rules_and_at_least_three_known_faults_are_found() throws IOException {
        List<Finding> findings = new ArrayList<>();
        for (Peer peer : Peer.values()) {
            findings.addAll(Peers.all(peer));
        }

        System.out.println(Peers.table(findings));
        Peers.write(findings, Path.of("target", "peers.json"));
        assertThat(findings)
                .filteredOn(finding -> finding.outcome() == Outcome.HELD)
                .extracting(Finding::subject)
                .contains(Stream.of(Peer.values()).map(Peer::label).toArray(String[]::new));
        assertThat(findings)
                .filteredOn(finding -> finding.outcome() == Outcome.BROKEN)
                .extracting(Finding::rule, Finding::subject)
                .filteredOn(KNOWN::contains)
                .as("known faults that the suite finds by itself")
                .hasSizeGreaterThanOrEqualTo(3);
    }
}
