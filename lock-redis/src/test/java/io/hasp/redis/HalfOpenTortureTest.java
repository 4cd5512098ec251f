package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Client processes whose connections are alive only in name. {@code hasp.torture.seed} and {@code hasp.torture.seconds} choose
 * another or a longer run.
 */
@Timeout(900)
@InTier(Tier.STANDARD)
class HalfOpenTortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(20, 60)));

    /** As start.lua says. */
    private static final Duration CLAIM = Duration.ofMillis(1250);

    /** An unanswered call, two polls, and some more for a busy machine. */
    private static final Duration BOUND = HalfOpenSubjects.COMMAND_TIMEOUT.plusSeconds(3);

    static Stream<String> clients() {
        return Stream.of("redis:jedis", "redis:lettuce", "own-lettuce", "own-redisson")
                .limit(Tier.count(1, 4));
    }

    private static HalfOpenTorture ofPacketsIfPossible() {
        Optional<String> missing = NetworkNamespace.filterMissing();
        missing.ifPresent(reason -> System.err.println("bytes are lost in proxies: " + reason));
        return missing.isPresent() ? HalfOpenTorture.ofBytes() : HalfOpenTorture.ofPackets();
    }

    private static void torture(HalfOpenTorture torture, String argument, boolean inOrder) throws Exception {
        TortureResult result =
                torture.run(SEED, TIME, HalfOpenSubjects.class, argument, HalfOpenSubjects.LEASE, BOUND, inOrder);
        System.err.println(argument + "\n" + result.report());
        result.verdict().orThrow();
        assertThat(lostAfterTheirClaim(result.history().events()))
                .as("lost leases that had been confirmed")
                .isEmpty();
        assertThat(result.work().held()).isPositive();
        assertThat(result.recovered())
                .extracting(client -> client.split("\\.", 2)[0])
                .contains("c0", "c1", "c2", "c3");
    }

    private static String argument(String client, String address) {
        return client.startsWith("redis:")
                ? "redis://" + address + "?commandTimeout=" + HalfOpenSubjects.COMMAND_TIMEOUT.toSeconds()
                        + "s&connection=" + client.substring("redis:".length())
                : client + ":" + address;
    }

    @ParameterizedTest
    @MethodSource("clients")
    void packets_that_are_lost_break_no_promise(String client) throws Exception {
        try (RedisServer server = RedisServer.start();
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, argument(client, torture.before(server.port())), true);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void bytes_that_are_lost_break_no_promise(String client) throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "the packets are enough");
        try (RedisServer server = RedisServer.start();
                HalfOpenTorture torture = HalfOpenTorture.ofBytes()) {
            torture(torture, argument(client, torture.before(server.port())), true);
        }
    }

    @Test
    void nor_with_redlock() throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
        try (RedlockServers nodes = RedlockServers.start(5);
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(torture, "redlock://" + before(torture, nodes.nodes()) + "?nodeTimeout=500ms", false);
        }
    }

    /** The servers name each other by their own addresses, which only clients beside them reach. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void nor_in_a_cluster(Through library) throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
        try (ClusterServers cluster = ClusterServers.start(false, Duration.ofSeconds(60));
                HalfOpenTorture torture = HalfOpenTorture.ofBytes()) {
            String addresses = before(torture, cluster.servers());
            List<String> ports = Stream.of(addresses.split(","))
                    .map(address -> address.substring(address.indexOf(':') + 1))
                    .toList();
            for (int i = 0; i < ports.size(); i++) {
                cluster.servers().get(i).command("CONFIG", "SET", "cluster-announce-port", ports.get(i));
            }
            for (RedisServer server : cluster.servers()) {
                await().until(() -> ports.stream()
                        .allMatch(port -> String.valueOf(server.command("CLUSTER", "NODES"))
                                .contains(":" + port + "@")));
            }
            torture(
                    torture,
                    Through.uri("redis-cluster://" + addresses + "?commandTimeout=2s&connection=" + library.word()),
                    true);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void nor_with_sentinels(Through library) throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
        try (SentinelServers servers = SentinelServers.start(0, Duration.ofSeconds(60));
                HalfOpenTorture torture = HalfOpenTorture.ofBytes()) {
            String master = torture.before(servers.master().port());
            for (RedisServer sentinel : servers.sentinels()) {
                sentinel.command("SENTINEL", "REMOVE", SentinelServers.MASTER_ID);
                sentinel.command(
                        "SENTINEL", "MONITOR", SentinelServers.MASTER_ID, "127.0.0.1", master.split(":")[1], "2");
                sentinel.command("SENTINEL", "SET", SentinelServers.MASTER_ID, "down-after-milliseconds", "600000");
            }
            torture(
                    torture,
                    Through.uri("redis-sentinel://" + before(torture, servers.sentinels())
                            + "?commandTimeout=2s&sentinelMasterId=" + SentinelServers.MASTER_ID + "&connection="
                            + library.word()),
                    true);
        }
    }

    /**
     * How many leases were lost that a server had confirmed. A direct grant is a claim until its first renewal: if that is
     * unanswered for the time of the claim, the server gives the lock to the next waiter.
     */
    private static List<Event> lostAfterTheirClaim(List<Event> events) {
        Map<String, Long> granted = new HashMap<>();
        List<Event> lost = new ArrayList<>();
        for (Event event : events) {
            String attempt = event.client() + "#" + event.attempt();
            if (event.kind() == Event.Kind.GRANTED) {
                granted.put(attempt, event.at());
            } else if (event.kind() == Event.Kind.LOST
                    && event.value() - granted.getOrDefault(attempt, 0L) > CLAIM.toNanos()) {
                lost.add(event);
            }
        }
        return lost;
    }

    private static String before(HalfOpenTorture torture, List<RedisServer> servers) {
        return servers.stream().map(server -> torture.before(server.port())).collect(Collectors.joining(","));
    }
}
