package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.LossReport;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Client processes whose connections are alive only in name. {@code hasp.torture.seed} and {@code hasp.torture.seconds} choose
 * another or a longer run, {@code hasp.torture.client} one client of {@link #clients} or {@link #libraries}.
 */
@Timeout(900)
@InTier(Tier.STANDARD)
class HalfOpenTortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(20, 60)));

    /** One client only; empty for all. */
    private static final String CLIENT = System.getProperty("hasp.torture.client", "");

    /** As start.lua says. */
    private static final Duration CLAIM = Duration.ofMillis(1250);

    /** By how much a client's deadline may be before the server's. */
    private static final Duration DOUBT = CLAIM;

    /** The poll interval of a waiter near the front, as start.lua says. */
    private static final Duration POLL = Duration.ofMillis(500);

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

    /** An unanswered call, two polls, and some more for a busy machine. */
    private static final Duration BOUND = HalfOpenSubjects.COMMAND_TIMEOUT.plusSeconds(3);

    /**
     * A waiter is passed over for two polls and one unanswered call at most, on a machine that is not late. Two polls alone are too short:
     * the request that is under way when the connection breaks, or the next one, must time out before the client leaves the connection,
     * and the server counts a waiter as alive for 1.75 s only. The sum is the wait until the next poll, the timeout, and the way back
     * into the queue: the pause after a failure (50 ms), a new connection, and an answer.
     */
    private static final Duration PASSED_OVER = passedOver(HalfOpenSubjects.COMMAND_TIMEOUT);

    /**
     * The same for Redlock, whose calls end after the node timeout. A waiter that has waited for so long without a fault is alive in the
     * queues of a majority of nodes. A client that asks later stands behind the waiter on these nodes, because places are times. Votes
     * that a waiter can't use go to the first of the queue, and a node that names the waiter keeps the lock for it. So the later client
     * gets less than a majority until the waiter is served. Clients that ask within this time get the lock in any order, because nodes
     * may differ.
     */
    private static final Duration REDLOCK_PASSED_OVER = passedOver(NODE_TIMEOUT);

    private static Duration passedOver(Duration unanswered) {
        return POLL.multipliedBy(2).plus(unanswered);
    }

    private static boolean chosen(String client) {
        return CLIENT.isEmpty() || CLIENT.equals(client);
    }

    static Stream<String> clients() {
        return Stream.of("redis:jedis", "redis:lettuce", "own-lettuce", "own-redisson")
                .limit(Tier.count(1, 4))
                .filter(HalfOpenTortureTest::chosen);
    }

    static Stream<Through> libraries() {
        return Stream.of(Through.values()).filter(library -> chosen(library.word()));
    }

    private static HalfOpenTorture ofPacketsIfPossible() {
        Optional<String> missing = NetworkNamespace.filterMissing();
        missing.ifPresent(reason -> System.err.println("bytes are lost in proxies: " + reason));
        return missing.isPresent() ? HalfOpenTorture.ofBytes() : HalfOpenTorture.ofPackets();
    }

    private static void torture(HalfOpenTorture torture, LeaseWitness witness, String argument, Duration inOrder)
            throws Exception {
        TortureResult result;
        try (witness) {
            result = torture.checking(Checks.noNeedlessLoss(witness, DOUBT, CLAIM))
                    .explainedBy(witness)
                    .run(
                            SEED,
                            TIME,
                            HalfOpenSubjects.class,
                            argument,
                            HalfOpenSubjects.LEASE,
                            BOUND,
                            Optional.of(inOrder));
            List<String> lost = LossReport.of(result.history(), witness, DOUBT, CLAIM);
            System.err.println(argument + "\n" + result.report() + "\n" + lost.size() + " leases lost; " + witness);
            lost.forEach(System.err::println);
        }
        assertThat(result.verdicts()).allMatch(Verdict.Sound.class::isInstance);
        assertThat(witness.sawAll()).isTrue();
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
            torture(torture, LeaseWitness.of(server), argument(client, torture.before(server.port())), PASSED_OVER);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void bytes_that_are_lost_break_no_promise(String client) throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "the packets are enough");
        try (RedisServer server = RedisServer.start();
                HalfOpenTorture torture = HalfOpenTorture.ofBytes()) {
            torture(torture, LeaseWitness.of(server), argument(client, torture.before(server.port())), PASSED_OVER);
        }
    }

    @Test
    void nor_with_redlock() throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
        try (RedlockServers nodes = RedlockServers.start(5);
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            torture(
                    torture,
                    LeaseWitness.ofRedlock(nodes.nodes()),
                    "redlock://" + before(torture, nodes.nodes()) + "?nodeTimeout=" + NODE_TIMEOUT.toMillis() + "ms",
                    REDLOCK_PASSED_OVER);
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void nor_in_a_cluster(Through library) throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
        try (HalfOpenTorture torture = ofPacketsIfPossible();
                ClusterServers cluster =
                        ClusterServers.start(false, Duration.ofSeconds(60), "bind 127.0.0.1 " + torture.host())) {
            LeaseWitness witness = LeaseWitness.of(cluster);
            String addresses = before(torture, cluster.servers());
            announce(cluster.servers(), List.of(addresses.split(",")));
            torture(
                    torture,
                    witness,
                    Through.uri("redis-cluster://" + addresses + "?commandTimeout=2s&connection=" + library.word()),
                    PASSED_OVER);
        }
    }

    /** The nodes reach each other's bus directly, and name the proxies to their clients. */
    private static void announce(List<RedisServer> nodes, List<String> addresses) {
        for (int i = 0; i < addresses.size(); i++) {
            String[] parts = addresses.get(i).split(":");
            nodes.get(i).command("CONFIG", "SET", "cluster-announce-ip", parts[0], "cluster-announce-port", parts[1]);
        }
        for (RedisServer server : nodes) {
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                String known = String.valueOf(server.command("CLUSTER", "NODES"));
                return addresses.stream().allMatch(address -> known.contains(" " + address + "@"))
                        && !known.contains("disconnected");
            });
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void nor_with_sentinels(Through library) throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "takes a minute");
        try (SentinelServers servers = SentinelServers.start(0, Duration.ofSeconds(60));
                HalfOpenTorture torture = ofPacketsIfPossible()) {
            LeaseWitness witness = LeaseWitness.of(servers.master());
            String master = torture.before(servers.master().port());
            String sentinels = before(torture, servers.sentinels());
            announceSentinels(servers.sentinels(), List.of(sentinels.split(",")));
            for (RedisServer sentinel : servers.sentinels()) {
                sentinel.command("SENTINEL", "REMOVE", SentinelServers.MASTER_ID);
                sentinel.command(
                        "SENTINEL", "MONITOR", SentinelServers.MASTER_ID, torture.host(), master.split(":")[1], "2");
                sentinel.command("SENTINEL", "SET", SentinelServers.MASTER_ID, "down-after-milliseconds", "600000");
            }
            awaitAnnounced(servers.sentinels(), List.of(sentinels.split(",")));
            torture(
                    torture,
                    witness,
                    Through.uri("redis-sentinel://" + sentinels
                            + "?commandTimeout=2s&sentinelMasterId=" + SentinelServers.MASTER_ID + "&connection="
                            + library.word()),
                    PASSED_OVER);
        }
    }

    /** Sentinels name each other by their proxies, so that a client that discovers sentinels stays behind the proxies. */
    private static void announceSentinels(List<RedisServer> sentinels, List<String> addresses) {
        for (int i = 0; i < addresses.size(); i++) {
            String[] parts = addresses.get(i).split(":");
            RedisServer sentinel = sentinels.get(i);
            sentinel.command("SENTINEL", "CONFIG", "SET", "announce-ip", parts[0]);
            sentinel.command("SENTINEL", "CONFIG", "SET", "announce-port", parts[1]);
        }
    }

    private static void awaitAnnounced(List<RedisServer> sentinels, List<String> addresses) {
        for (int i = 0; i < sentinels.size(); i++) {
            RedisServer sentinel = sentinels.get(i);
            String own = addresses.get(i);
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                String known = String.valueOf(sentinel.command("SENTINEL", "SENTINELS", SentinelServers.MASTER_ID));
                return addresses.stream()
                        .filter(address -> !address.equals(own))
                        .allMatch(address -> known.contains(address.split(":")[1]));
            });
        }
    }

    private static String before(HalfOpenTorture torture, List<RedisServer> servers) {
        return servers.stream().map(server -> torture.before(server.port())).collect(Collectors.joining(","));
    }
}
