package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The witness of the torture knows which lease its servers have, and for how long. */
class LeaseWitnessTest {
    private static final String LOCK = "held-0";
    private static final String OPTIONS = "?renewedLease=10s";

    private static Optional<Duration> left(LeaseWitness witness, long token) {
        return witness.left(LOCK, token, System.nanoTime());
    }

    private static void sees(LeaseWitness witness, String uri) throws Exception {
        try (witness;
                LockClient client = LockClient.connect(uri)) {
            Lease lease = client.lock(LOCK).acquire();
            long token = lease.fencingToken();
            await().untilAsserted(() -> assertThat(left(witness, token))
                    .hasValueSatisfying(
                            left -> assertThat(left).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10))));
            assertThat(left(witness, token + (1 << 8))).contains(Duration.ZERO);
            lease.release();
            await().untilAsserted(() -> assertThat(left(witness, token)).contains(Duration.ZERO));
        }
    }

    @Test
    void of_one_server() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            sees(LeaseWitness.of(server), server.uri() + OPTIONS);
        }
    }

    @Test
    void of_a_cluster() throws Exception {
        try (ClusterServers cluster = ClusterServers.start(false, Duration.ofSeconds(60))) {
            sees(LeaseWitness.of(cluster), "redis-cluster://" + cluster.addresses() + OPTIONS);
        }
    }

    @Test
    void of_the_most_nodes_of_redlock() throws Exception {
        try (RedlockServers nodes = RedlockServers.start(3)) {
            sees(LeaseWitness.ofRedlock(nodes.nodes()), nodes.uri() + "&renewedLease=10s");
        }
    }

    @Test
    void what_it_did_not_see_is_unknown() throws Exception {
        try (RedisServer server = RedisServer.start();
                LeaseWitness witness = LeaseWitness.of(server)) {
            assertThat(witness.left(
                            LOCK, 1, System.nanoTime() - Duration.ofMinutes(1).toNanos()))
                    .isEmpty();
            assertThat(witness.sawAll()).isFalse();
        }
    }

    @Test
    void what_a_server_kept_while_it_was_silent_is_unknown() throws Exception {
        try (RedisServer server = RedisServer.start();
                LeaseWitness witness = LeaseWitness.of(server);
                LockClient client = LockClient.connect(server.uri() + OPTIONS)) {
            Lease lease = client.lock(LOCK).acquire();
            await().untilAsserted(() ->
                    assertThat(left(witness, lease.fencingToken())).isPresent());

            server.pause();
            TimeUnit.SECONDS.sleep(2);
            server.resume();

            await().untilAsserted(() ->
                    assertThat(left(witness, lease.fencingToken())).isEmpty());
            lease.release();
        }
    }

    @Test
    void a_waiter_is_on_record_with_its_place_and_its_listener() throws Exception {
        try (RedisServer server = RedisServer.start();
                LeaseWitness witness = LeaseWitness.of(server);
                LockClient client = LockClient.connect(server.uri() + OPTIONS);
                LockClient other = LockClient.connect(server.uri() + OPTIONS)) {
            long before = System.nanoTime();
            Lease lease = client.lock(LOCK).acquire();
            CompletableFuture<Lease> waiting = other.lock(LOCK).acquireAsync().toCompletableFuture();
            await().untilAsserted(() -> assertThat(witness.around(LOCK, before, System.nanoTime()))
                    .containsPattern("\\[1\\|[\\w-]+\\|H\\|\\d+\\|.*] [\\w-]+ of .* \\d+ ms, 1 listening"));
            assertThat(witness.around(
                            LOCK,
                            before - Duration.ofMinutes(2).toNanos(),
                            before - Duration.ofMinutes(1).toNanos()))
                    .isEmpty();
            lease.release();
            waiting.join().release();
        }
    }

    @Test
    void a_waiter_is_on_record_at_each_node_of_redlock() throws Exception {
        try (RedlockServers nodes = RedlockServers.start(3);
                LeaseWitness witness = LeaseWitness.ofRedlock(nodes.nodes());
                LockClient client = LockClient.connect(nodes.uri());
                LockClient other = LockClient.connect(nodes.uri())) {
            long before = System.nanoTime();
            Lease lease = client.lock(LOCK).acquire();
            CompletableFuture<Lease> waiting = other.lock(LOCK).acquireAsync().toCompletableFuture();
            await().untilAsserted(() -> assertThat(witness.around(LOCK, before, System.nanoTime()))
                    .contains("Node 0. The queue", "Node 1. The queue", "Node 2. The queue")
                    .containsPattern("(?s)(\\[R1\\|[\\w-]+\\|H\\|.*] [\\w-]+ of .* \\d+ ms, 1 listening.*){3}"));
            lease.release();
            waiting.join().release();
        }
    }

    @Test
    void the_end_of_a_lease_is_described() throws Exception {
        try (RedisServer server = RedisServer.start();
                LeaseWitness witness = LeaseWitness.of(server);
                LockClient client = LockClient.connect(server.uri() + "?renewedLease=1s")) {
            Lease lease = client.lock(LOCK).acquire();
            TimeUnit.SECONDS.sleep(1);
            server.command("DEL", RedlockServers.key(LOCK));
            await().untilAsserted(() ->
                    assertThat(left(witness, lease.fencingToken())).contains(Duration.ZERO));
            assertThat(witness.lastSeen(LOCK, lease.fencingToken(), System.nanoTime()))
                    .matches(
                            "the last renewal reached the server \\d\\.\\d+ s before the loss and was good until .* the loss; "
                                    + "the server had it for the last time \\d\\.\\d+ s before the loss");
            assertThat(witness.lastSeen(LOCK, 1 << 8, System.nanoTime())).isEqualTo("no look at the server found it");
        }
    }
}
