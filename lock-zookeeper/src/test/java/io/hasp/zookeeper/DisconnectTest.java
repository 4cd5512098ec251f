package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that end their sessions and go on later. */
@Timeout(120)
@InTier(Tier.STANDARD)
class DisconnectTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    /** Those with a session; the one that asks has none. */
    private static long sessions() throws IOException {
        return SERVER.server()
                .ask("cons")
                .lines()
                .filter(line -> line.contains("sid=0x"))
                .count();
    }

    private static LockClient client() {
        return LockClient.connect("zookeeper://" + SERVER.server().connectString() + "?sessionTimeout=4s");
    }

    @Test
    void no_session_stays_and_the_next_call_begins_one() throws Exception {
        try (LockClient client = client()) {
            long token = 0;
            for (int rounds = 0; rounds < 3; rounds++) {
                try (Lease lease = client.lock("orders/42").acquire()) {
                    assertThat(lease.fencingToken()).isGreaterThan(token);
                    token = lease.fencingToken();
                    assertThat(sessions()).isPositive();
                }
                assertThat(client.disconnect()).isTrue();
                await().until(() -> sessions() == 0);
            }
        }
    }

    @Test
    void a_lock_that_is_held_stays_with_its_session() throws Exception {
        try (LockClient client = client();
                LockClient other = client()) {
            Lease lease = client.lock("held").acquireAsync().join();
            CompletableFuture<Boolean> disconnecting = CompletableFuture.supplyAsync(client::disconnect);
            await().during(Duration.ofSeconds(6))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> lease.state() == LeaseState.HELD && !disconnecting.isDone());
            assertThat(other.lock("held").tryAcquire()).isEmpty();
            lease.close();
            assertThat(disconnecting.join()).isTrue();
            try (Lease next = other.lock("held").acquire()) {
                assertThat(next.state()).isEqualTo(LeaseState.HELD);
            }
        }
    }

    /** Its session is the application's. */
    @Test
    void beside_an_applications_client_the_locks_are_gone_and_come_again() throws Exception {
        try (CuratorFramework curator =
                CuratorFrameworkFactory.newClient(SERVER.server().connectString(), new RetryOneTime(100))) {
            curator.start();
            ClientOptions lazy = ClientOptions.defaults().connect(Connect.LAZY);
            try (LockClient client = LockClient.over(ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()), lazy)) {
                for (int rounds = 0; rounds < 2; rounds++) {
                    try (Lease lease = client.lock("applications").acquire()) {
                        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                    }
                    assertThat(client.disconnect()).isTrue();
                    assertThat(curator.getZookeeperClient().isConnected()).isTrue();
                }
            }
        }
    }
}
