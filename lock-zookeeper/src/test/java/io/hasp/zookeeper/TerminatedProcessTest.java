package io.hasp.zookeeper;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.TerminatedWork;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A second process whose only care for its end is a shutdown hook. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class TerminatedProcessTest {

    @Test
    void ap10_work_in_a_process_that_is_terminated_keeps_its_lock_until_its_end() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            TerminatedWork.keepsItsLockUntilItsEnd(
                    "zookeeper://" + server.connectString() + "?sessionTimeout=4s", Duration.ofSeconds(5));
        }
    }
}
