package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.zookeeper.MultiSessionBackend;
import io.hasp.zookeeper.OneServer;
import io.hasp.zookeeper.Probe;
import io.hasp.zookeeper.ServerAdmin;
import io.hasp.zookeeper.ZooKeeperBackend;
import io.hasp.zookeeper.ZooKeeperLocks;
import io.hasp.zookeeper.layout.LockNameEncoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The number of bytes that the nodes of a session may have in their paths. */
@InTier(Tier.STANDARD)
class SessionPathsTest {
    /** More than the limit for any length of a path. */
    private static final int TOO_MANY = SessionPaths.LIMIT / 48;

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @Test
    void zk13_a_client_of_its_own_opens_another_session_and_its_locks_work_in_both() throws Exception {
        String uri = "zookeeper://" + SERVER.server().connectString() + "?sessionTimeout=20s&commandTimeout=20s";
        try (Probe probe = Probe.connect(uri);
                Probe other = Probe.connect(uri)) {
            List<Probe.Holder> holders = holders(probe, "own-");
            List<Grant> grants = new ArrayList<>();
            for (CompletionStage<Attempt> each :
                    holders.stream().map(Probe.Holder::start).toList()) {
                grants.add(((Attempt.Granted) Probe.await(each)).grant());
            }

            assertThat(((MultiSessionBackend) probe.backend).sessions()).isBetween(2, 4);
            int last = holders.size() - 1;
            assertThat(probe.renew(List.of(grants.get(0), grants.get(last))))
                    .allMatch(Renewal.Renewed.class::isInstance);
            assertThat(other.trier("own-0").attempt()).isInstanceOf(Attempt.Busy.class);
            assertThat(other.trier("own-" + last).attempt()).isInstanceOf(Attempt.Busy.class);
            assertThat(holders.get(0).release()).isEqualTo(Released.RELEASED);
            assertThat(holders.get(last).release()).isEqualTo(Released.RELEASED);
            assertThat(holders.get(last).release()).isEqualTo(Released.NOT_HELD);
            assertThat(other.trier("own-0").attempt()).isInstanceOf(Attempt.Granted.class);
            assertThat(other.trier("own-" + last).attempt()).isInstanceOf(Attempt.Granted.class);
        }
    }

    @Test
    void zk13_in_the_session_of_an_applications_client_a_lock_without_room_is_refused_by_name_until_others_go() {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                SERVER.server().connectString(), 20_000, 10_000, new RetryOneTime(100));
        client.start();
        try (Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()))) {
            await().until(client.getZookeeperClient()::isConnected);
            List<Probe.Holder> granted = new ArrayList<>();
            List<BackendFailure> refusals = new ArrayList<>();
            for (Probe.Holder each : holders(probe, "on-")) {
                try {
                    Probe.await(each.start());
                    granted.add(each);
                } catch (BackendFailure failure) {
                    refusals.add(failure);
                    break;
                }
            }

            assertThat(refusals).hasSize(1);
            BackendFailure refused = refusals.get(0);
            assertThat(refused).hasMessageContaining("on-" + granted.size()).hasMessageContaining("524288");
            assertThat(refused.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE);
            assertThat(refused.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
            Probe.Holder late = probe.holder("on-late");
            assertThatExceptionOfType(BackendFailure.class).isThrownBy(() -> Probe.await(late.start()));
            granted.get(0).release();
            granted.get(1).release();
            assertThat(late.granted().token()).isPositive();
        } finally {
            client.close();
        }
    }

    @Test
    void the_folder_of_a_shortened_name_has_the_whole_name_as_its_data() throws Exception {
        String name = "é".repeat(250);
        try (Probe probe = Probe.connect("zookeeper://" + SERVER.server().connectString());
                ServerAdmin servers = ServerAdmin.connect(SERVER.server())) {
            probe.holder(name).granted();
            byte[] data = servers.client.getData(ServerAdmin.folder(name), false, null);
            assertThat(new String(data, StandardCharsets.UTF_8)).isEqualTo(name);
            assertThat(LockNameEncoding.of(new LockName(name))).hasSizeLessThan(129);
        }
    }

    private static List<Probe.Holder> holders(Probe probe, String prefix) {
        List<Probe.Holder> holders = new ArrayList<>();
        for (int i = 0; i < TOO_MANY; i++) {
            holders.add(probe.holder(prefix + i));
        }
        return holders;
    }
}
