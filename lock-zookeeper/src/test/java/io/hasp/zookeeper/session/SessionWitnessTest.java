package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The knowledge of the torture's witness. */
@InTier(Tier.STANDARD)
class SessionWitnessTest {
    @Test
    void it_knows_the_nodes_and_the_silence_of_a_server() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                SessionWitness witness = SessionWitness.of(List.of(server));
                LockClient client = LockClient.connect("zookeeper://" + server.connectString())) {
            Lease lease = client.lock("held-0").acquire();
            await().until(() -> witness.had(lease.fencingToken(), System.nanoTime()));
            lease.release();
            await().until(() -> !witness.had(lease.fencingToken(), System.nanoTime()));

            server.pause();
            TimeUnit.SECONDS.sleep(2);
            server.resume();

            await().until(() -> witness.longestSilence(Duration.ofMillis(100), System.nanoTime())
                            .compareTo(Duration.ofSeconds(1))
                    < 0);
            assertThat(witness.longestSilence(Duration.ofSeconds(5), System.nanoTime()))
                    .isGreaterThan(Duration.ofMillis(1_900));
        }
    }
}
