package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The witness of the torture knows which nodes the servers have, and for how long the servers are silent. */
class SessionWitnessTest {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    @Test
    void a_follower_that_stands_still_does_not_blind_it() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                SessionWitness witness = SessionWitness.of(ensemble.servers());
                LockClient client =
                        LockClient.connect("zookeeper://" + ensemble.leader().connectString())) {
            Lease lease = client.lock("held-0").acquire();
            await().until(() -> witness.had(lease.fencingToken(), System.nanoTime()));
            ZooKeeperServer follower = ensemble.follower();

            follower.pause();
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            assertThat(witness.longestSilence(PAUSE, System.nanoTime())).isLessThan(PAUSE.dividedBy(2));
            follower.resume();

            lease.release();
            long moment = System.nanoTime();
            await().until(() -> !witness.had(lease.fencingToken(), System.nanoTime()));
            assertThat(witness.lastSeen(lease.fencingToken(), moment))
                    .contains("the servers had its node for the last time", "and had it no longer");
        }
    }
}
