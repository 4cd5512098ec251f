package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.server.Acknowledgements;
import io.hasp.redis.server.Acknowledgements.Answer;
import io.hasp.redis.server.RedisConnection;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** A grant is believed only when the replica of the master that has its slot has received it. */
@InTier(Tier.STANDARD)
class ClusterAcknowledgementTest {
    private static final Duration PATIENTLY = Duration.ofMillis(2_500);
    private static final int LOCKS = 30;

    @RegisterExtension
    static final SharedCluster SHARED = SharedCluster.withReplicas();

    private final ClusterServers cluster = SHARED.servers();

    @BeforeEach
    void empty() {
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    private TestClient client(String library, Duration within, RealTiming timing) {
        RedisConfig config = RedisConfig.ofCluster(cluster.addresses().split(","))
                .commandTimeout(within.multipliedBy(2))
                .locks(RedisLocks.defaults().acknowledge(1, within));
        return new TestClient(Through.of(library).source(config), timing, timing.threads());
    }

    private RedisServer replicaOf(RedisServer master) {
        List<RedisServer> servers = cluster.servers();
        return servers.get(servers.indexOf(master) + servers.size() / 2);
    }

    private static String lock(RedisServer replica) {
        try (Jedis jedis = new Jedis("127.0.0.1", replica.port())) {
            jedis.readonly();
            return String.valueOf(jedis.get(TestClient.KEY));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_grant_is_on_the_replica_of_its_slots_master_when_it_is_told(String library) {
        try (RealTiming timing = new RealTiming();
                TestClient client = client(library, PATIENTLY, timing)) {
            RedisServer replica = replicaOf(cluster.masterOf(TestClient.KEY));
            for (int i = 0; i < 20; i++) {
                client.granted("h" + i);
                assertThat(lock(replica)).contains("|h" + i + "|");
                assertThat(client.release("h" + i)).isEqualTo(Released.RELEASED);
            }
            cluster.masterOf(TestClient.KEY).command("SCRIPT", "FLUSH");
            client.granted("a");
            assertThat(client.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            client.release("a");
        }
    }

    /** Those of other masters go on, and are not held up. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_grant_that_is_not_acknowledged_is_given_back_and_grants_of_other_masters_are_not_held_up(String library) {
        RedisServer master = cluster.masterOf(TestClient.KEY);
        RedisServer replica = replicaOf(master);
        try (RealTiming timing = new RealTiming();
                TestClient client = client(library, Duration.ofSeconds(3), timing)) {
            replica.pause();
            CompletableFuture<BackendFailure> refused = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(BackendFailure.class, () -> client.acquire("a")), timing.threads());
            IntStream.range(0, LOCKS)
                    .mapToObj(i -> "other" + i)
                    .filter(name -> cluster.masterOf("hasp:{" + name + "}") != master)
                    .map(name -> Claim.renewedLease(new LockName(name), new HolderId("h"), TestClient.LEASE, true))
                    .forEach(claim -> {
                        assertThat(client.acquire(claim)).isInstanceOf(Attempt.Granted.class);
                        client.backend.release(claim);
                    });
            assertThat(refused).isNotDone();
            BackendFailure failure = refused.join();
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
            assertThat(failure).hasMessageContaining("0 of 1 replicas of redis-cluster://");
            assertThat(master.command("EXISTS", TestClient.KEY)).isEqualTo(0L);
            replica.resume();
            await().ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> client.acquire("c") instanceof Attempt.Granted || client.release("c") == null);
            client.release("c");
        } finally {
            replica.resume();
        }
    }

    /** A confirmation finds the lock where its slot is by then: MOVED, and ASK for one that is being moved. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_grant_is_acknowledged_where_its_slot_is_by_then(String library) {
        int slot = cluster.slot(TestClient.KEY);
        RedisServer from = cluster.masterOf(TestClient.KEY);
        RedisServer to = cluster.masters().stream()
                .filter(master -> master != from)
                .findFirst()
                .orElseThrow();
        RedisConfig config = RedisConfig.of(URI.create("redis-cluster://" + cluster.addresses()));
        try (RealTiming timing = new RealTiming();
                TestClient client = client(library, PATIENTLY, timing);
                RedisConnection connection =
                        RedisConnections.open(config, new BackendContext("c", timing, timing.threads()))) {
            Acknowledgements acknowledgements = new Acknowledgements(
                    connection, new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX), 1, Duration.ofMillis(900));
            Grant grant = client.granted("a");
            assertThat(TestClient.answer(acknowledgements.confirm(grant))).isEqualTo(new Answer(true, 1));
            cluster.beginMove(slot, to);
            cluster.moveKeys(slot, to);
            assertThat(TestClient.answer(acknowledgements.confirm(grant))).isEqualTo(new Answer(true, 1));
            cluster.endMove(slot, to);
            assertThat(TestClient.answer(acknowledgements.confirm(grant))).isEqualTo(new Answer(true, 1));
        } finally {
            cluster.move(IntStream.of(slot), from);
        }
    }
}
