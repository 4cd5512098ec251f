package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.rules.support.IdleKeeper;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The costs of a client that keeps many locks and uses none. */
@InTier(Tier.STANDARD)
class IdleKeeperTest {
    private static final int NAMES = 10_000;

    @Test
    void ten_thousand_kept_locks_need_hardly_any_processor_time() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start("maxSessionTimeout=600000");
                LockClient client = LockClient.connect(
                        URI.create("zookeeper://" + server.connectString() + "?sessionTimeout=300s&commandTimeout=10s"),
                        ClientOptions.defaults()
                                .renewedLease(Duration.ofMinutes(3))
                                .keep(Duration.ofMinutes(1)))) {
            double before = IdleKeeper.shareOfCore(Duration.ofSeconds(2));
            IdleKeeper.use(client, NAMES);

            double share = IdleKeeper.shareOfCore(Duration.ofSeconds(4)) - before;

            System.err.printf("%d kept locks on ZooKeeper: %.4f of a core, beside %.4f%n", NAMES, share, before);
            assertThat(share).isLessThan(0.01);
        }
    }
}
