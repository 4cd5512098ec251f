package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.spi.BackendFailure;
import org.junit.jupiter.api.Test;

/** Servers that give clients sessions without ephemeral nodes. */
class LocalSessionsTest {
    @Test
    void servers_that_do_not_upgrade_local_sessions_are_incompatible_at_the_first_lock() {
        try (ZooKeeperEnsemble ensemble =
                        ZooKeeperEnsemble.start("localSessionsEnabled=true", "localSessionsUpgradingEnabled=false");
                Probe probe = Probe.connect("zookeeper://" + ensemble.connectString())) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> probe.holder("local").attempt())
                    .withMessageContaining("localSessionsUpgradingEnabled")
                    .extracting(BackendFailure::kind)
                    .isEqualTo(BackendFailure.Kind.INCOMPATIBLE);
        }
    }
}
