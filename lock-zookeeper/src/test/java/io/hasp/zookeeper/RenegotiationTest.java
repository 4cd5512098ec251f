package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

/** A server that restarts with a lower limit keeps the sessions that it resumes for a shorter time than agreed. */
@InTier(Tier.STANDARD)
class RenegotiationTest {
    private static final String LOCK = "renegotiated";
    private static final Duration AGREED = Duration.ofSeconds(20);
    private static final Duration ALLOWED = Duration.ofSeconds(3);

    @Test
    void le5_a_session_taken_up_again_for_a_shorter_time_ends_what_its_holder_believes_before_another_gets_the_lock()
            throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                FaultProxy proxy = FaultProxy.before(server.port());
                CuratorFramework curator = CuratorFrameworkFactory.builder()
                        .connectString("127.0.0.1:" + proxy.port())
                        .sessionTimeoutMs((int) AGREED.toMillis())
                        .retryPolicy(new RetryOneTime(100))
                        .build();
                Probe other = Probe.connect("zookeeper://" + server.connectString() + "?sessionTimeout=20s")) {
            CompletableFuture<Duration> believing = new CompletableFuture<>();
            ClientOptions options = ClientOptions.defaults().addListener(event -> {
                if (event instanceof LockEvent.Renewed renewed
                        && renewed.remaining().compareTo(AGREED.dividedBy(2)) > 0) {
                    believing.complete(renewed.remaining());
                }
            });
            curator.start();
            curator.blockUntilConnected();
            try (LockClient client =
                    LockClient.over(ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()), options)) {
                Lease lease = client.lock(LOCK).acquire();
                Probe.Holder waiter = other.holder(LOCK);
                assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);

                assertThat(believing.get(20, TimeUnit.SECONDS)).isGreaterThan(ALLOWED);
                server.restartWith("maxSessionTimeout=" + ALLOWED.toMillis());
                await().atMost(AGREED)
                        .until(() ->
                                curator.getZookeeperClient().getZooKeeper().getSessionTimeout() == ALLOWED.toMillis());
                proxy.set(TrafficPolicy.HOLD);
                waiter.waited();

                assertThat(lease.state())
                        .as("what the first holder believes when the next has the lock")
                        .isEqualTo(LeaseState.LOST);
                proxy.heal();
            }
        }
    }
}
