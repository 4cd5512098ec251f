package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspInProcess;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.torture.Fault;
import io.hasp.conformance.torture.Torture;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TorturePlan;
import io.hasp.conformance.torture.TorturePlan.Setting;
import io.hasp.conformance.torture.TortureResult;
import io.hasp.conformance.torture.Victims;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client processes while nodes stop, die and come back, as the operators of a Redlock are told to let them: with their data,
 * or empty after one lease. {@code hasp.torture.seed} and {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(600)
class RedlockTortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(8, 300)));

    @Test
    void no_fault_of_nodes_or_clients_breaks_a_promise() throws Exception {
        try (RedlockServers nodes = RedlockServers.start(5, "appendonly yes", "appendfsync always")) {
            TortureResult result = Torture.run(
                    new TorturePlan(SEED, setting()),
                    name -> ClientJvm.start(name, HaspInProcess.class, nodes.uri()),
                    faults(nodes),
                    true,
                    checks());
            Map<String, Long> each = holds(result);
            System.err.println(result.report() + "\nholds of each client: " + each);
            result.verdict().orThrow();
            assertThat(each.keySet()).as("clients that got a lock").contains("c0", "c1", "c2", "c3");
            assertThat(each.values().stream().mapToLong(Long::longValue).sum())
                    .as("acquisitions")
                    .isGreaterThan(Tier.count(100, 10_000));
        }
    }

    /** Mostly very short holds, so that many grants meet each fault. */
    private static Setting setting() {
        Duration lease = Timings.lease();
        return new Setting(TIME, 4, 2, lease.multipliedBy(2), lease.dividedBy(50), lease, lease);
    }

    private static Map<String, Long> holds(TortureResult result) {
        return result.history().events().stream()
                .filter(event -> event.kind() == Event.Kind.GRANTED)
                .collect(Collectors.groupingBy(event -> event.client().split("\\.")[0], Collectors.counting()));
    }

    private static List<Fault> faults(RedlockServers nodes) {
        return List.of(
                TortureFaults.paused("a node", nodes.only(0)),
                TortureFaults.paused("two nodes", nodes.only(1, 3)),
                TortureFaults.paused("three nodes", nodes.only(0, 2, 4)),
                TortureFaults.restarted("a node", nodes.node(4)),
                TortureFaults.restarted("two nodes", nodes.only(2, 3)),
                new Emptied(nodes.node(1)),
                TortureFaults.clientPaused(),
                TortureFaults.clientKilled());
    }

    private static List<Check> checks() {
        List<Check> checks = new ArrayList<>(Checks.safety());
        checks.add(Checks.noLostWakeUp(Timings.units(30), Timings.units(30)));
        return checks;
    }

    /** A node dies and comes back without its data, not before every lease that it had granted is over. */
    private static final class Emptied implements Fault {
        private final RedisServer node;
        private long killedAt;

        Emptied(RedisServer node) {
            this.node = node;
        }

        @Override
        public String name() {
            return "a node emptied";
        }

        @Override
        public void strike(Victims victims, long choice) {
            node.kill();
            killedAt = System.nanoTime();
        }

        @Override
        public void heal(Victims victims) throws InterruptedException {
            if (!node.running()) {
                long away = Timings.lease().plus(Timings.units(1)).toNanos();
                // What the operator is told to wait for: time, and nothing else.
                TimeUnit.NANOSECONDS.sleep(killedAt + away - System.nanoTime());
                node.restartWithoutData();
            }
        }
    }
}
