package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Work of a client whose locks were lost in an outage. */
@InTier(Tier.STANDARD)
class OutageCostTest {
    private static final int LOCKS = 2_000;

    @Test
    void many_lost_locks_wait_for_the_connection_together() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Probe probe = Probe.connect(
                        "zookeeper://" + server.connectString() + "?sessionTimeout=4s&commandTimeout=30s")) {
            List<Probe.Holder> holders = new ArrayList<>();
            List<CompletionStage<Attempt>> pending = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                holders.add(probe.holder("lost-" + i));
                pending.add(holders.get(i).start());
            }
            pending.forEach(each -> assertThat(Probe.await(each)).isInstanceOf(Attempt.Granted.class));
            server.kill();
            holders.forEach(each -> each.awaitSignal(Signal.LOST));
            long before = probe.scheduled();

            Thread.sleep(2_000);

            assertThat(probe.scheduled() - before).as("tasks in two seconds").isLessThan(100);
            server.restart();
            assertThat(probe.holder("fresh").granted().token()).isPositive();
            await().atMost(Duration.ofSeconds(30)).until(() -> ((MultiSessionBackend) probe.backend).idleBut(1));
            try (ServerAdmin admin = ServerAdmin.connect(server)) {
                await().atMost(Duration.ofSeconds(30)).until(() -> admin.ephemerals() == 1);
            }
        }
    }
}
