package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ChildProcess;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A killed client with many locks. The leader ends a session by one transaction with the paths of all its nodes; followers refuse a
 * transaction above two megabytes, and never start again (ZOOKEEPER-4306).
 */
@InTier(Tier.STANDARD)
class DeadClientTest {
    private ZooKeeperEnsemble ensemble;

    @BeforeEach
    void open() {
        ensemble = ZooKeeperEnsemble.start();
    }

    @AfterEach
    void close() {
        ensemble.close();
    }

    @Test
    void zk13_the_death_of_a_client_with_many_long_names_leaves_an_ensemble_that_serves() throws Exception {
        killWith(1_500, 512);
    }

    @Test
    void zk13_the_death_of_a_client_with_many_locks_leaves_an_ensemble_that_serves() throws Exception {
        killWith(Tier.count(40_000, 100_000), 6);
    }

    private void killWith(int locks, int nameLength) throws Exception {
        String uri = "zookeeper://" + ensemble.connectString() + "?sessionTimeout=10s";
        try (ChildProcess client = ChildProcess.start(folder -> JavaProgram.command(
                List.of("-Xmx512m"),
                ManyLocksProgram.class,
                uri,
                Integer.toString(locks),
                Integer.toString(nameLength),
                folder.resolve("held").toString()))) {
            await().atMost(Duration.ofMinutes(5)).until(() -> {
                assertThat(client.alive()).as(client.output()).isTrue();
                return Files.exists(client.folder().resolve("held"));
            });
            client.kill();
        }
        ZooKeeperServer leader = ensemble.leader();
        try (Probe heir = Probe.connect("zookeeper://" + leader.connectString() + "?sessionTimeout=10s")) {
            for (int i = 0; i < locks; i += locks / 10) {
                String name = ManyLocksProgram.name(i, nameLength);
                await().atMost(Duration.ofSeconds(60))
                        .ignoreException(BackendFailure.class)
                        .until(() -> heir.trier(name).attempt() instanceof Attempt.Granted);
            }
        }
        ensemble.awaitServing();
        try (Probe anywhere = Probe.connect(uri)) {
            assertThat(anywhere.holder("afterwards").granted().token()).isPositive();
        }
    }
}
