package io.hasp.redis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SubscriptionMode;

/** An application's Redisson client for a master and its replica, configured or discovered. */
class RedissonReplicasTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RedisServer master = RedisServer.start("repl-diskless-sync-delay 0");
    private final RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port());
    private final Queue<RedissonClient> clients = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void replicated() {
        await().atMost(PATIENCE)
                .until(() ->
                        String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
    }

    @AfterEach
    void stop() {
        clients.forEach(RedissonClient::shutdown);
        replica.close();
        master.close();
    }

    private RedissonClient redisson(Config config, BaseMasterSlaveServersConfig<?> servers) {
        servers.setSubscriptionMode(SubscriptionMode.MASTER)
                .setMasterConnectionMinimumIdleSize(1)
                .setSlaveConnectionMinimumIdleSize(1)
                .setTimeout(2_000)
                .setRetryAttempts(1);
        RedissonClient client = Redisson.create(config);
        clients.add(client);
        return client;
    }

    private RedissonClient masterWithReplica() {
        Config config = new Config();
        return redisson(
                config,
                config.useMasterSlaveServers().setMasterAddress(master.uri()).addSlaveAddress(replica.uri()));
    }

    private RedissonClient replicatedServers() {
        Config config = new Config();
        return redisson(
                config,
                config.useReplicatedServers()
                        .addNodeAddress(master.uri(), replica.uri())
                        .setScanInterval(200));
    }

    private static Grant assertHandedOver(TestClient one, TestClient two, String round) {
        one.granted("a" + round);
        assertThat(two.acquire("b" + round)).isInstanceOf(Attempt.Busy.class);
        one.release("a" + round);
        await().until(() -> two.signals.contains("b" + round + " MAYBE_FREE"));
        return two.granted("b" + round);
    }

    private static String lock(RedisServer server) {
        return String.valueOf(server.command("GET", TestClient.KEY));
    }

    @Test
    void a_client_for_a_master_with_replicas_wakes_waiters_and_has_grants_acknowledged() {
        RedisLocks byOne = RedisLocks.defaults().acknowledge(1, Duration.ofSeconds(1));
        try (TestClient one = new TestClient(RedisBackend.onRedisson(masterWithReplica(), byOne));
                TestClient two = new TestClient(RedisBackend.onRedisson(masterWithReplica(), byOne))) {
            assertHandedOver(one, two, "");
            assertThat(lock(replica)).contains("|b|");
        }
    }

    /** An operator promotes one of these servers, and the former master may live on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_client_for_replicated_servers_wakes_waiters_and_follows_a_failover(boolean killed) {
        try (TestClient one = new TestClient(RedisBackend.onRedisson(replicatedServers()));
                TestClient two = new TestClient(RedisBackend.onRedisson(replicatedServers()))) {
            Grant grant = assertHandedOver(one, two, "");
            assertThat(two.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            await().atMost(PATIENCE).until(() -> lock(replica).contains("|b|"));
            replica.command("REPLICAOF", "NO", "ONE");
            if (killed) {
                master.kill();
            } else {
                master.command("REPLICAOF", "127.0.0.1", String.valueOf(replica.port()));
            }
            await().atMost(PATIENCE).until(() -> two.signals.containsAll(List.of("b SUSPECT", "b RESTORED")));
            await().atMost(PATIENCE).until(() -> two.renew(grant) instanceof Renewal.Renewed);
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> two.release("b") != null);
            await().atMost(PATIENCE)
                    .until(() -> ((List<?>) requireNonNull(replica.command("PUBSUB", "CHANNELS"))).size() == 2);
            assertHandedOver(one, two, "2");
        }
    }
}
