package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.evaluation.subject.Peers.Finding;
import io.hasp.evaluation.subject.Peers.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The suite asks the peers what it asks Hasp. What they break is kept in {@code target/peers.json} and printed. */
class PeersUnderTheRulesTest {
    private static final List<Class<? extends PeerConformance>> ALL = List.of(
            PeerConformance.RLock.class,
            PeerConformance.FairLock.class,
            PeerConformance.FencedLock.class,
            PeerConformance.SpringOnRedis.class,
            PeerConformance.Mutex.class,
            PeerConformance.SpringOnZooKeeper.class);

    @Test
    void a_peer_keeps_rules_and_is_not_blamed_for_what_it_does_not_offer() {
        List<Finding> findings = Peers.some(
                PeerConformance.RLock.class,
                List.of(
                        "me2_second_client_is_refused_while_first_holds",
                        "ow1_release_by_a_non_owner_is_refused_and_leaves_the_lock_intact",
                        "fe1_tokens_increase_strictly",
                        "le1_lease_without_renewal_expires_in_time"));

        assertThat(findings)
                .extracting(Finding::rule, Finding::outcome)
                .containsExactlyInAnyOrder(
                        tuple("me2_second_client_is_refused_while_first_holds", Outcome.HELD),
                        tuple("ow1_release_by_a_non_owner_is_refused_and_leaves_the_lock_intact", Outcome.HELD),
                        tuple("fe1_tokens_increase_strictly", Outcome.NOT_OFFERED),
                        tuple("le1_lease_without_renewal_expires_in_time", Outcome.HELD));
    }

    @Test
    @EnabledIfSystemProperty(named = "hasp.tier", matches = "full", disabledReason = "takes long: mvn verify -Pfull")
    void all_peers_are_asked_all_rules_and_at_least_three_known_faults_are_found() throws IOException {
        List<Finding> findings = new ArrayList<>();
        ALL.forEach(peer -> findings.addAll(Peers.all(peer)));

        System.out.println(Peers.table(findings));
        Peers.write(findings, Path.of("target", "peers.json"));
        assertThat(findings)
                .filteredOn(finding -> finding.outcome() == Outcome.HELD)
                .hasSizeGreaterThan(ALL.size());
        assertThat(findings)
                .filteredOn(finding -> finding.outcome() == Outcome.BROKEN)
                .hasSizeGreaterThanOrEqualTo(3);
    }
}
