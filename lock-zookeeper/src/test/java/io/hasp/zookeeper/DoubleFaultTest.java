package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

/**
 * A follower gets at once what its client sent during a stall, and stalls itself before it has reported to the leader.
 */
@InTier(Tier.STANDARD)
class DoubleFaultTest {
    private static final String LOCK = "double";
    private static final ZooKeeperLocks PATIENT = new ZooKeeperLocks(
            ZooKeeperLocks.DEFAULT_ROOT, ZooKeeperLocks.defaults().acl(), Duration.ofSeconds(30));

    /** ZooKeeper's client leaves a silent connection after two thirds of the session timeout; a client of our own does so earlier. */
    private static final Duration SESSION = Duration.ofSeconds(12);

    private static final Duration STALL = Duration.ofSeconds(7);
    private static final Duration BETWEEN = Duration.ofMillis(500);

    @Test
    void
            zk5_what_a_stalled_follower_answers_before_it_is_cut_off_is_not_believed_longer_than_its_leader_keeps_the_session() {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start("tickTime=1000")) {
            ZooKeeperServer follower = ensemble.follower();
            try (FaultProxy proxy = FaultProxy.before(follower.port());
                    CuratorFramework lent = lent("127.0.0.1:" + proxy.port());
                    Probe stalled = Probe.over(ZooKeeperBackend.on(lent, PATIENT));
                    Probe other = connect(ensemble.leader().connectString(), Duration.ofSeconds(60))) {
                Grant grant = stalled.holder(LOCK).granted();
                Probe.Holder waiter = other.holder(LOCK);
                assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);

                proxy.set(Direction.REQUESTS, TrafficPolicy.HOLD);
                CompletableFuture<Long> latest = renewing(stalled, grant);
                proxy.set(Direction.REQUESTS, TrafficPolicy.PASS);
                long deadline = latest.join();
                follower.pause();

                waiter.waited();
                assertThat(Duration.ofNanos(System.nanoTime() - deadline))
                        .as("from the deadline of the one holder to the grant of the next")
                        .isPositive();
            }
        }
    }

    /** Sends renewals while the connection stalls. Returns the moment until which the last answer confirms the lock. */
    private static CompletableFuture<Long> renewing(Probe client, Grant grant) {
        long end = System.nanoTime() + STALL.toNanos();
        while (true) {
            long sentAt = System.nanoTime();
            CompletableFuture<Long> deadline = client.backend
                    .renew(List.of(grant))
                    .thenApply(renewals -> sentAt
                            + ((Renewal.Renewed) renewals.get(0)).validity().toNanos())
                    .toCompletableFuture();
            if (sentAt - end >= 0) {
                return deadline;
            }
            long next = sentAt + BETWEEN.toNanos();
            await().atMost(STALL).until(() -> System.nanoTime() - next >= 0);
        }
    }

    private static CuratorFramework lent(String address) {
        int millis = Math.toIntExact(SESSION.toMillis());
        CuratorFramework client = CuratorFrameworkFactory.newClient(address, millis, millis, new RetryOneTime(100));
        client.start();
        await().until(client.getZookeeperClient()::isConnected);
        return client;
    }

    private static Probe connect(String address, Duration session) {
        return Probe.connect(
                "zookeeper://" + address + "?commandTimeout=30s&sessionTimeout=" + session.toSeconds() + "s");
    }
}
