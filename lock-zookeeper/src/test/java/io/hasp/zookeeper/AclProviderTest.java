package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Transfer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that are created through an application's Curator client have the permissions that its ACL provider gives. */
class AclProviderTest {
    private static final ACLProvider CREATOR_ONLY = new ACLProvider() {
        @Override
        public List<ACL> getDefaultAcl() {
            return ZooDefs.Ids.CREATOR_ALL_ACL;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return ZooDefs.Ids.CREATOR_ALL_ACL;
        }
    };

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static CuratorFramework client(@Nullable String namespace, ACLProvider provider) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(SERVER.server().connectString())
                .retryPolicy(new RetryOneTime(100))
                .namespace(namespace)
                .authorization("digest", "alice:secret".getBytes(StandardCharsets.UTF_8))
                .aclProvider(provider)
                .build();
        client.start();
        await().until(client.getZookeeperClient()::isConnected);
        return client;
    }

    @Test
    void fa12_another_user_cannot_delete_the_node_of_a_holder() throws Exception {
        try (CuratorFramework client = client(null, CREATOR_ONLY);
                Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()));
                ServerAdmin stranger = ServerAdmin.connect(SERVER.server())) {
            Probe.Holder holder = probe.holder("provided");
            Grant grant = holder.granted();
            Probe.Holder next = probe.holder("provided");
            assertThat(client.getACL().forPath(ServerAdmin.folder("provided"))).noneMatch(AclProviderTest::ofAnyone);
            String node =
                    client.getChildren().forPath(ServerAdmin.folder("provided")).get(0);
            assertThatExceptionOfType(KeeperException.NoAuthException.class)
                    .isThrownBy(() -> stranger.delete("provided", node));

            Transfer transfer = probe.backend.transfer(grant, next.claim, next.signals::add);

            assertThat(Probe.await(transfer.attempt())).isInstanceOf(Attempt.Granted.class);
            String replacement =
                    client.getChildren().forPath(ServerAdmin.folder("provided")).get(0);
            assertThatExceptionOfType(KeeperException.NoAuthException.class)
                    .isThrownBy(() -> stranger.delete("provided", replacement));
            assertThat(next.release()).isEqualTo(Released.RELEASED);
        }
    }

    private static boolean ofAnyone(ACL acl) {
        return acl.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE);
    }

    @Test
    void fa12_a_namespace_has_the_permissions_of_its_provider_too() throws Exception {
        try (CuratorFramework client = client("app", CREATOR_ONLY);
                Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()));
                ServerAdmin stranger = ServerAdmin.connect(SERVER.server())) {
            probe.holder("named").granted();

            assertThatExceptionOfType(KeeperException.NoAuthException.class)
                    .isThrownBy(() -> stranger.client.getChildren("/app/hasp/locks/named", false));
        }
    }

    @Test
    void an_acl_that_is_given_for_the_locks_outranks_the_provider() throws Exception {
        List<ACL> readable = List.of(
                new ACL(ZooDefs.Perms.ALL, ZooDefs.Ids.AUTH_IDS),
                new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        ZooKeeperLocks locks = new ZooKeeperLocks("/given/locks", readable, Duration.ofSeconds(5));
        try (CuratorFramework client = client(null, CREATOR_ONLY);
                Probe probe = Probe.over(ZooKeeperBackend.on(client, locks));
                ServerAdmin stranger = ServerAdmin.connect(SERVER.server())) {
            probe.holder("chosen").granted();

            assertThat(stranger.client.getChildren("/given/locks/chosen", false))
                    .hasSize(1);
        }
    }

    @Test
    void a_provider_that_fails_is_named() {
        ACLProvider broken = new ACLProvider() {
            @Override
            public List<ACL> getDefaultAcl() {
                throw new IllegalStateException("no permissions today");
            }

            @Override
            public List<ACL> getAclForPath(String path) {
                throw new IllegalStateException("no permissions today");
            }
        };
        try (CuratorFramework client = client(null, broken);
                Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()))) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> probe.holder("broken").attempt())
                    .withMessageContaining("no permissions today");
        }
    }
}
