package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A user's Curator client on a chroot, in a namespace, or both. ZooKeeper's client removes the chroot from the paths in
 * its answers, except in the results of a transaction.
 */
@InTier(Tier.STANDARD)
class PathsTest {
    private static final String LOCK = "paths";

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @BeforeAll
    static void createChroot() throws Exception {
        SERVER.admin().client.create("/chroot", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    @ParameterizedTest
    @CsvSource({"'',''", "/chroot,''", "'',app", "/chroot,app"})
    void a_lock_is_transferred_renewed_found_and_released(String chroot, String namespace) throws Exception {
        try (CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(SERVER.server().connectString() + chroot)
                .namespace(namespace)
                .retryPolicy(new RetryOneTime(100))
                .build()) {
            client.start();
            client.blockUntilConnected();
            try (Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()));
                    Probe other = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()));
                    ServerAdmin servers = ServerAdmin.connect(SERVER.server())) {
                String folder = chroot + (namespace.isEmpty() ? "" : "/" + namespace) + ServerAdmin.folder(LOCK);
                Probe.Holder holder = probe.holder(LOCK);
                Probe.Holder waiter = other.holder(LOCK);
                Grant grant = holder.granted();
                assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
                Probe.Holder last = holder;
                for (int i = 0; i < 3; i++) {
                    Probe.Holder next = probe.holder(LOCK);
                    assertThat(Probe.await(next.transferFrom(grant).attempt())).isInstanceOf(Attempt.Busy.class);
                    Grant between = waiter.waited();
                    assertThat(waiter.release()).isEqualTo(Released.RELEASED);
                    grant = next.waited();
                    assertThat(grant.token()).isGreaterThan(between.token());
                    assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
                    waiter = other.holder(LOCK);
                    assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
                    assertThat(servers.client.getChildren(folder, false)).hasSize(2);
                    last = next;
                }
                waiter.release();
                assertThat(last.release()).isEqualTo(Released.RELEASED);
                assertThat(servers.client.getChildren(folder, false)).isEmpty();
                passesAlone(probe);
                assertThat(servers.client.getChildren(folder, false)).isEmpty();
            }
        }
    }

    /** Without a waiter the next holder directly follows the last one. */
    private static void passesAlone(Probe probe) {
        Probe.Holder last = probe.holder(LOCK);
        Grant grant = last.granted();
        for (int i = 0; i < 3; i++) {
            last = probe.holder(LOCK);
            Attempt attempt = Probe.await(last.transferFrom(grant).attempt());
            assertThat(attempt).isInstanceOf(Attempt.Granted.class);
            Grant next = ((Attempt.Granted) attempt).grant();
            assertThat(next.token()).isGreaterThan(grant.token());
            assertThat(probe.renew(List.of(next)).get(0)).isInstanceOf(Renewal.Renewed.class);
            grant = next;
        }
        assertThat(last.release()).isEqualTo(Released.RELEASED);
    }
}
