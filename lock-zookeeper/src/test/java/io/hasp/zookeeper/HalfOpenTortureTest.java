package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client processes whose connections are alive only in name. {@code hasp.torture.seed} and {@code hasp.torture.seconds} choose
 * another or a longer run.
 */
@Timeout(900)
class HalfOpenTortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", 60));
    private static final Duration SESSION = Duration.ofSeconds(6);

    /** A client that hears nothing connects anew within its session timeout, or needs a new session. */
    private static final Duration BOUND = SESSION.plusSeconds(4);

    @BeforeEach
    void onlyInTheFullTier() {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
    }

    private static HalfOpenTorture ofPacketsIfPossible() {
        Optional<String> missing = NetworkNamespace.filterMissing();
        missing.ifPresent(reason -> System.err.println("bytes are lost in proxies: " + reason));
        return missing.isPresent() ? HalfOpenTorture.ofBytes() : HalfOpenTorture.ofPackets();
    }

    private static void torture(HalfOpenTorture torture, List<ZooKeeperServer> servers) throws Exception {
        String addresses =
                servers.stream().map(server -> torture.before(server.port())).collect(Collectors.joining(","));
        String uri = "zookeeper://" + addresses + "?connectionTimeout=20s&commandTimeout=2s&sessionTimeout="
                + SESSION.toSeconds() + "s";
        TortureResult result = torture.run(SEED, TIME, HaspSubjectFactory.class, uri, SESSION, BOUND, true);
        System.err.println(result.report());
        result.verdict().orThrow();
        assertThat(result.work().held()).isPositive();
        assertThat(result.recovered())
                .extracting(client -> client.split("\\.", 2)[0])
                .contains("c0", "c1", "c2", "c3");
    }

    @Test
    void packets_that_are_lost_break_no_promise_of_one_server() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, List.of(server));
        }
    }

    @Test
    void packets_that_are_lost_break_no_promise_of_an_ensemble() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, ensemble.servers());
        }
    }

    @Test
    void bytes_that_are_lost_break_no_promise_of_an_ensemble() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                HalfOpenTorture torture = HalfOpenTorture.ofBytes()) {
            torture(torture, ensemble.servers());
        }
    }
}
