package io.hasp.conformance.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@InTier(Tier.STANDARD)
class ClusterServersTest {

    @Test
    void slots_move_and_a_replica_takes_the_place_of_a_killed_master() {
        try (ClusterServers cluster = ClusterServers.start(true, Duration.ofSeconds(1))) {
            assertThat(cluster.servers()).hasSize(6);
            assertThat(cluster.masters())
                    .containsExactlyElementsOf(cluster.servers().subList(0, 3));
            int slot = cluster.slot("a{b}");
            RedisServer former = cluster.masterOf("a{b}");
            former.command("SET", "a{b}", "kept");

            RedisServer next = cluster.servers().get(0) == former
                    ? cluster.servers().get(1)
                    : cluster.servers().get(0);
            cluster.move(IntStream.of(slot), next);
            assertThat(cluster.masterOf("a{b}")).isSameAs(next);
            assertThat(next.command("GET", "a{b}")).isEqualTo("kept");

            next.kill();
            cluster.awaitFailoverFrom(next, slot);
            assertThat(cluster.masterOf("a{b}").command("GET", "a{b}")).isEqualTo("kept");
            next.restart();
            cluster.awaitSettled();
            assertThat(cluster.masters()).hasSize(3).doesNotContain(next);
        }
    }
}
