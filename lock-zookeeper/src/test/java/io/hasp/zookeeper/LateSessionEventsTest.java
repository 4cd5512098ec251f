package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.ZooKeeperSessions;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** A listener of the application that blocks delays the reports of an application's Curator client. */
class LateSessionEventsTest {
    private static final int LEASES = 5;
    private static final int SESSION_MILLIS = 10_000;

    @Test
    void zk1_a_late_report_that_a_session_ended_ends_no_lease_of_the_next_one() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CopyOnWriteArrayList<ConnectionState> reported = new CopyOnWriteArrayList<>();
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework client = CuratorFrameworkFactory.newClient(
                        server.connectString(), SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(100))) {
            client.getConnectionStateListenable().addListener((any, state) -> {
                if (state != ConnectionState.CONNECTED) {
                    awaitQuietly(blocked);
                }
            });
            client.start();
            await().ignoreExceptions().until(() -> handle(client).getState() == ZooKeeper.States.CONNECTED);
            try (Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()))) {
                client.getConnectionStateListenable().addListener((any, state) -> reported.add(state));
                ZooKeeper former = handle(client);
                ZooKeeperSessions.expire(server.connectString(), former.getSessionId(), former.getSessionPasswd());
                await().ignoreExceptions()
                        .until(() ->
                                handle(client) != former && handle(client).getState() == ZooKeeper.States.CONNECTED);
                List<Probe.Holder> holders = new ArrayList<>();
                List<Grant> grants = new ArrayList<>();
                for (int i = 0; i < LEASES; i++) {
                    holders.add(probe.holder("late-" + i));
                    grants.add(holders.get(i).granted());
                }

                blocked.countDown();

                await().until(() ->
                        reported.contains(ConnectionState.LOST) && reported.contains(ConnectionState.RECONNECTED));
                assertThat(holders).noneMatch(holder -> holder.signals.contains(Signal.LOST));
                assertThat(probe.renew(grants)).allMatch(Renewal.Renewed.class::isInstance);
            } finally {
                blocked.countDown();
            }
        }
    }

    private static ZooKeeper handle(CuratorFramework client) throws Exception {
        return client.getZookeeperClient().getZooKeeper();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
