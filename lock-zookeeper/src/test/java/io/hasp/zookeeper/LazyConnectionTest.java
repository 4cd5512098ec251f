package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

/** Clients that are made before their server runs. */
@InTier(Tier.STANDARD)
class LazyConnectionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static LockClient lazy(ZooKeeperServer server) {
        return LockClient.connect(
                "zookeeper://" + server.connectString() + "?commandTimeout=" + TIMEOUT + "&sessionTimeout=4s",
                ClientOptions.defaults().connect(Connect.LAZY));
    }

    @Test
    void a_call_fails_while_the_server_is_down_and_the_queue_and_the_session_work_once_it_runs() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            server.kill();
            try (LockClient first = lazy(server);
                    LockClient second = lazy(server)) {
                long began = System.nanoTime();
                assertThatExceptionOfType(BackendException.class)
                        .isThrownBy(() -> first.lock("orders/42").tryAcquire())
                        .withMessageContaining("not connected yet");
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(TIMEOUT.multipliedBy(2));
                server.restart();
                try (Lease lease = first.lock("orders/42").acquire()) {
                    CompletableFuture<Lease> next = second.lock("orders/42").acquireAsync();
                    await().during(Duration.ofSeconds(6))
                            .atMost(Duration.ofSeconds(20))
                            .until(() -> lease.state() == LeaseState.HELD && !next.isDone());
                    lease.close();
                    try (Lease following = next.join()) {
                        assertThat(following.fencingToken()).isGreaterThan(lease.fencingToken());
                    }
                }
            }
        }
    }

    @Test
    void a_client_whose_server_never_came_closes_at_once_although_a_call_waits() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            server.kill();
            LockClient client = lazy(server);
            CompletableFuture<Lease> waiting = client.lock("orders/42").acquireAsync();
            long began = System.nanoTime();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
            await().until(waiting::isCompletedExceptionally);
        }
    }

    @Test
    void a_wrong_uri_is_refused_as_the_client_is_made() {
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.connect("zookeeper://127.0.0.1:1?connect=lazy&colour=red"))
                .withMessageContaining("colour");
    }

    private static void assertNotConnectedAndThenLocked(ZooKeeperServer server, LockClient client) throws Exception {
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> client.lock("orders/42").tryAcquire())
                .satisfies(e -> assertThat(e.outcome()).isEqualTo(BackendException.Outcome.NOT_APPLIED));
        server.restart();
        try (Lease lease = client.lock("orders/42").acquire()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    @Test
    void an_applications_curator_client_may_connect_later() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            server.kill();
            try (CuratorFramework curator =
                    CuratorFrameworkFactory.newClient(server.connectString(), 20_000, 2_000, new RetryOneTime(100))) {
                curator.start();
                try (LockClient client = LockClient.over(
                        ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()),
                        ClientOptions.defaults().connect(Connect.LAZY))) {
                    assertNotConnectedAndThenLocked(server, client);
                }
            }
        }
    }

    /** It is refused by each call, and found again when it is started. */
    @Test
    void an_applications_curator_client_may_be_started_later() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework curator =
                        CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(100));
                LockClient client = LockClient.over(
                        ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()),
                        ClientOptions.defaults().connect(Connect.LAZY))) {
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(() -> client.lock("orders/42").tryAcquire())
                    .withMessageContaining("the Curator client is not started");
            curator.start();
            client.lock("orders/42").acquire().close();
        }
    }

    @Test
    void an_ensemble_without_a_quorum_is_waited_for() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ensemble.kill();
            try (LockClient client = LockClient.connect(
                    "zookeeper://" + ensemble.connectString() + "?connect=lazy&commandTimeout=" + TIMEOUT)) {
                assertThatExceptionOfType(BackendException.class)
                        .isThrownBy(() -> client.lock("orders/42").tryAcquire());
                ensemble.restart();
                ensemble.awaitServing();
                try (Lease lease = client.lock("orders/42").acquire()) {
                    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                }
            }
        }
    }
}
