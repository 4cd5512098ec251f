package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspInProcess;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.torture.Fault;
import io.hasp.conformance.torture.Torture;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TorturePlan;
import io.hasp.conformance.torture.TorturePlan.Setting;
import io.hasp.conformance.torture.TortureResult;
import io.hasp.redis.RedisConfig.Library;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Client processes under everything that a server with synced data should survive. {@code hasp.torture.seed} and
 * {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(600)
class TortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", 12));

    @ParameterizedTest
    @EnumSource(Library.class)
    void no_fault_of_network_server_or_client_breaks_a_promise(Library library) throws Exception {
        try (RedisServer server = RedisServer.start("appendonly yes", "appendfsync always");
                FaultProxy proxy = FaultProxy.before(server.port())) {
            String uri = "redis://127.0.0.1:" + proxy.port() + "?commandTimeout=2s&connection="
                    + library.name().toLowerCase(Locale.ROOT);
            TortureResult result = Torture.run(
                    new TorturePlan(SEED, Setting.of(TIME, Timings.lease()).leases(Timings.lease())),
                    name -> ClientJvm.start(name, HaspInProcess.class, uri),
                    faults(server, proxy),
                    true,
                    checks());
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().held()).isPositive();
        }
    }

    private static List<Fault> faults(RedisServer server, FaultProxy proxy) {
        return List.of(
                TortureFaults.paused("redis", server),
                TortureFaults.restarted("redis", server),
                TortureFaults.held("redis", proxy),
                TortureFaults.dropped("redis", proxy),
                TortureFaults.delayed("redis", proxy),
                TortureFaults.cut("redis", proxy),
                TortureFaults.clientPaused(),
                TortureFaults.clientKilled());
    }

    private static List<Check> checks() {
        List<Check> checks = new ArrayList<>(Checks.safety());
        checks.add(Checks.noLostWakeUp(Timings.units(30), Timings.units(30)));
        return checks;
    }
}
