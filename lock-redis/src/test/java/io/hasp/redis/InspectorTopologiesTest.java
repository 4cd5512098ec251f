package io.hasp.redis;

import static io.hasp.redis.InspectorFixture.claim;
import static io.hasp.redis.InspectorFixture.found;
import static io.hasp.redis.InspectorFixture.free;
import static io.hasp.redis.InspectorFixture.granted;
import static io.hasp.redis.InspectorFixture.inspector;
import static io.hasp.redis.InspectorFixture.names;
import static io.hasp.redis.TestClient.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Inspector;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator's view by each client library, of one server, behind Sentinel and of a cluster. */
@Timeout(180)
@InTier(Tier.STANDARD)
class InspectorTopologiesTest {
    private static final int LOCKS = 240;

    @RegisterExtension
    static final SharedCluster CLUSTER = SharedCluster.ofMasters();

    /** Locks of all kinds on all masters, a view of each, and the removal of one holder of each kind. */
    private static void assertShown(String uri) {
        try (RealTiming timing = new RealTiming();
                TestClient holder = new TestClient(Through.source(uri), timing, timing.threads());
                TestClient operator = new TestClient(Through.source(uri), timing, timing.threads())) {
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                Share share = i % 3 == 0 ? new Share(2, 8) : i % 3 == 1 ? Share.READ : Share.EXCLUSIVE;
                granted(holder, claim("n" + i, "h" + i, share, true, "label|" + i));
                expected.add("n" + i);
            }
            assertThat(names(operator, "n")).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(names(operator, "n23")).hasSize(11);
            assertThat(names(operator, "none")).isEmpty();
            for (int i = 0; i < 6; i++) {
                Inspector.Content lock = found(operator, "n" + i);
                Inspector.Holder one = lock.holders().get(0);
                assertThat(one.label()).isEqualTo("label|" + i);
                assertThat(answer(inspector(operator).remove(lock.name(), one))).isTrue();
                assertThat(answer(inspector(operator).remove(lock.name(), one))).isFalse();
                assertThat(free(operator, "n" + i)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void one_server(Through library) {
        try (RedisServer server = RedisServer.start()) {
            assertShown("redis://127.0.0.1:" + server.port() + "?connection=" + library.word());
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_cluster(Through library) {
        CLUSTER.servers().masters().forEach(master -> master.command("FLUSHALL"));
        assertShown("redis-cluster://" + CLUSTER.servers().addresses() + "?connection=" + library.word());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_list_behind_sentinels_begins_again_after_a_failover(String library) {
        try (SentinelServers servers = SentinelServers.start(Duration.ofSeconds(60))) {
            String uri = "redis-sentinel://" + servers.addresses() + "?sentinelMasterId=" + SentinelServers.MASTER_ID
                    + "&connection=" + library;
            assertShown(uri);
            try (RealTiming timing = new RealTiming();
                    TestClient client = new TestClient(Through.source(uri), timing, timing.threads())) {
                for (int i = 0; i < LOCKS; i++) {
                    granted(client, claim("m" + i, "g" + i, Share.EXCLUSIVE, true, ""));
                }
                Inspector.Page page = answer(inspector(client).list("m", ""));
                assertThat(page.next()).isNotEmpty();
                servers.failOver();
                // The former master serves the list until it is demoted.
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThatThrownBy(() -> followed(client, page.next()))
                                .isInstanceOf(BackendFailure.class));
            }
        }
    }

    private static void followed(TestClient client, String cursor) {
        answer(inspector(client).list("m", cursor));
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_lock_whose_slot_is_being_moved_is_found(Through library) {
        ClusterServers servers = CLUSTER.servers();
        servers.masters().forEach(master -> master.command("FLUSHALL"));
        String uri = "redis-cluster://" + servers.addresses() + "?connection=" + library.word();
        try (RealTiming timing = new RealTiming();
                TestClient client = new TestClient(Through.source(uri), timing, ForkJoinPool.commonPool())) {
            granted(client, claim("moving", "h", Share.EXCLUSIVE, true, ""));
            String key = "hasp:{moving}";
            int slot = servers.slot(key);
            RedisServer from = servers.masterOf(key);
            RedisServer to = servers.masters().stream()
                    .filter(other -> other.port() != from.port())
                    .findFirst()
                    .orElseThrow();
            servers.beginMove(slot, to);
            servers.moveKeys(slot, to);
            servers.endMove(slot, to);
            assertThat(found(client, "moving").holders()).hasSize(1);
            assertThat(names(client, "")).containsExactly("moving");
            servers.beginMove(slot, from);
            servers.moveKeys(slot, from);
            servers.endMove(slot, from);
        }
    }
}
