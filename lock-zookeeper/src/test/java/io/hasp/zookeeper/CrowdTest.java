package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The servers' costs of many waiters at one lock. */
@InTier(Tier.STANDARD)
class CrowdTest {
    private static final int WAITERS = Tier.count(500, 5_000);

    /** Fewer outside the full tier, where each turn takes two writes to three disks. */
    private static final int WAITERS_ON_THREE = Tier.count(150, 5_000);

    private static final String LOCK = "crowd";
    private static final int WATCHES_PER_WAITER = 2;
    /** For one holder: attempt, confirmation, watches, deletion, and some heartbeats. */
    private static final int PACKETS_PER_TURN = 20;

    @Test
    void zk10_many_waiters_cost_watches_and_packets_in_proportion_and_nothing_afterwards() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            crowd(server.connectString(), server, WAITERS);
        }
    }

    @Test
    void zk10_many_waiters_on_three_servers() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ZooKeeperServer one = ensemble.servers().get(0);
            crowd(one.connectString(), one, WAITERS_ON_THREE);
        }
    }

    private static void crowd(String address, ZooKeeperServer server, int crowd) throws Exception {
        try (Probe probe = Probe.connect("zookeeper://" + address + "?sessionTimeout=20s");
                ServerAdmin servers = ServerAdmin.connect(server)) {
            Probe.Holder first = probe.holder(LOCK);
            first.granted();
            List<Probe.Holder> waiters = new ArrayList<>();
            long before = servers.packets();
            for (int i = 0; i < crowd; i++) {
                Probe.Holder waiter = probe.holder(LOCK);
                assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
                waiters.add(waiter);
            }
            assertThat(servers.watches()).isLessThanOrEqualTo(WATCHES_PER_WAITER * crowd);
            first.release();
            long token = 0;
            for (Probe.Holder waiter : waiters) {
                long next = waiter.waited().token();
                assertThat(next).as("first come, first served").isGreaterThan(token);
                token = next;
                waiter.release();
            }
            assertThat(servers.packets() - before).as("packets").isLessThan((long) PACKETS_PER_TURN * crowd);
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(servers.children(LOCK)).isEmpty();
                assertThat(servers.watches()).isZero();
            });
        }
    }
}
