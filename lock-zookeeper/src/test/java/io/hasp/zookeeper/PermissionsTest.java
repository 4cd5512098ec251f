package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.LogLines;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients with different ACLs on one lock, and clients whose own ACL shuts them out. */
class PermissionsTest {
    private static final Id NOBODY = new Id("digest", "nobody:AAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    private static final String ALICE = "alice:secret@";

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private String lock;

    @BeforeEach
    void name(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
    }

    private static Probe open() {
        return Probe.connect("zookeeper://" + SERVER.server().connectString());
    }

    private static Probe creator() {
        return Probe.connect("zookeeper://" + ALICE + SERVER.server().connectString() + "?acl=creator");
    }

    private void makeFolderOpenToAll(Probe client) {
        makeFolderOpenToAll(client, lock);
    }

    private static void makeFolderOpenToAll(Probe client, String lock) {
        Probe.Holder holder = client.holder(lock);
        holder.granted();
        holder.release();
    }

    /** Why no watch helps: neither {@code exists} nor a watch that was set while the node was readable. */
    @Test
    void a_server_does_not_report_a_nodes_deletion_to_a_client_that_may_not_read_it() throws Exception {
        Set<String> onWatchSignal = ConcurrentHashMap.newKeySet();
        List<ACL> unreadable = Arrays.asList(new ACL(Perms.ALL & ~Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        for (String node : List.of("/unreadable", "/readable")) {
            SERVER.admin().client.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            assertThat(SERVER.admin().client.exists(node, (WatchedEvent event) -> onWatchSignal.add(event.getPath())))
                    .isNotNull();
        }
        SERVER.admin().client.setACL("/unreadable", unreadable, -1);
        assertThatExceptionOfType(KeeperException.NoAuthException.class)
                .isThrownBy(() -> SERVER.admin().client.exists("/unreadable", true));

        SERVER.admin().client.delete("/unreadable", -1);
        SERVER.admin().client.delete("/readable", -1);

        await().until(() -> onWatchSignal.contains("/readable"));
        assertThat(onWatchSignal).containsExactly("/readable");
    }

    @Test
    void fa12_a_waiter_that_may_not_read_its_predecessor_polls_a_few_times_a_second_and_gets_its_turn()
            throws Exception {
        try (LogLines log = LogLines.about(lock);
                Probe bob = open();
                Probe alice = creator()) {
            makeFolderOpenToAll(bob);
            Probe.Holder holder = alice.holder(lock);
            Grant theirs = holder.granted();
            Probe.Holder waiter = bob.holder(lock);
            assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);

            waiter.awaitSignal(Signal.MAYBE_FREE);
            Probe.Holder next = bob.holder(lock + "-2");
            Probe.Holder another = alice.holder(lock + "-2");
            makeFolderOpenToAll(bob, lock + "-2");
            another.granted();
            next.attempt();
            next.awaitSignal(Signal.MAYBE_FREE);
            assertThat(log.with("NOAUTH"))
                    .as("once for a session")
                    .singleElement()
                    .asString()
                    .startsWith("SEVERE ");
            assertThat(waiter.attempt())
                    .isInstanceOfSatisfying(
                            Attempt.Busy.class,
                            busy -> assertThat(busy.pollAfter())
                                    .isBetween(Duration.ofMillis(100), Duration.ofSeconds(1)));

            long before = SERVER.admin().packets();
            await().during(Duration.ofSeconds(1))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> SERVER.admin().packets() - before < 100);
            assertThat(holder.release()).isEqualTo(Released.RELEASED);
            assertThat(waiter.granted().token()).isGreaterThan(theirs.token());
            assertThat(waiter.release()).isEqualTo(Released.RELEASED);
        }
        await().untilAsserted(() -> assertThat(SERVER.admin().watches()).isZero());
    }

    @Test
    void fa12_a_reader_that_may_not_read_the_node_of_the_writer_before_it_polls() throws Exception {
        try (Probe bob = open();
                Probe alice = creator()) {
            makeFolderOpenToAll(bob);
            Probe.Holder writer = alice.holder(lock, Share.WRITE);
            writer.granted();
            Probe.Holder reader = bob.holder(lock, Share.READ);
            assertThat(reader.attempt()).isInstanceOf(Attempt.Busy.class);
            reader.awaitSignal(Signal.MAYBE_FREE);
            assertThat(reader.attempt()).isEqualTo(new Attempt.Busy(Duration.ofMillis(500)));

            writer.release();

            assertThat(reader.granted().token()).isPositive();
        }
        await().untilAsserted(() -> assertThat(SERVER.admin().watches()).isZero());
    }

    @Test
    void a_predecessor_that_may_be_read_is_watched_again_after_one_that_may_not() throws Exception {
        try (Probe bob = open();
                Probe alice = creator()) {
            makeFolderOpenToAll(bob);
            Probe.Holder holder = bob.holder(lock);
            holder.granted();
            Probe.Holder middle = alice.holder(lock);
            assertThat(middle.attempt()).isInstanceOf(Attempt.Busy.class);
            Probe.Holder last = bob.holder(lock);
            assertThat(last.attempt()).isInstanceOf(Attempt.Busy.class);
            last.awaitSignal(Signal.MAYBE_FREE);

            middle.release();
            assertThat(last.attempt()).isInstanceOf(Attempt.Busy.class);
            last.signals.clear();
            holder.release();

            last.awaitSignal(Signal.MAYBE_FREE);
            assertThat(last.granted().token()).isPositive();
        }
    }

    @Test
    void le6_of_a_batch_only_the_node_that_became_unreadable_is_not_confirmed() throws Exception {
        try (Probe client = Probe.connect("zookeeper://" + SERVER.server().connectString() + "?sessionTimeout=60s")) {
            List<Grant> grants = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                grants.add(client.holder(lock + i).granted());
            }
            List<Integer> shut = List.of(0, 3, 4, 7);
            for (int i : shut) {
                String node = ServerAdmin.folder(lock + i) + "/"
                        + SERVER.admin().children(lock + i).get(0);
                SERVER.admin().client.setACL(node, Arrays.asList(new ACL(Perms.ALL, NOBODY)), -1);
            }

            List<Renewal> renewals = client.renew(grants);

            for (int i = 0; i < 8; i++) {
                if (shut.contains(i)) {
                    assertThat(renewals.get(i))
                            .isInstanceOfSatisfying(
                                    Renewal.Unknown.class,
                                    unknown -> assertThat(unknown.why().kind()).isEqualTo(BackendFailure.Kind.DENIED));
                } else {
                    assertThat(renewals.get(i)).isInstanceOf(Renewal.Renewed.class);
                }
            }
        }
    }

    private static CuratorFramework curator() throws Exception {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(SERVER.server().connectString())
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .build();
        client.start();
        client.blockUntilConnected();
        return client;
    }

    private static ZooKeeperLocks locks(String root, List<ACL> acl) {
        return new ZooKeeperLocks(root, acl, Duration.ofSeconds(5));
    }

    private static List<ACL> allBut(int missing) {
        return List.of(new ACL(Perms.ALL, NOBODY), new ACL(Perms.ALL & ~missing, ZooDefs.Ids.ANYONE_ID_UNSAFE));
    }

    private static void denied(Runnable asked, String path) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(asked::run)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.DENIED))
                .withMessageContaining(path)
                .withMessageContaining("its own ACL");
    }

    @Test
    void fa12_a_client_whose_acl_shuts_itself_out_leaves_no_root() throws Exception {
        try (CuratorFramework client = curator()) {
            for (int missing : new int[] {Perms.CREATE, Perms.DELETE, Perms.READ, Perms.ALL}) {
                String root = "/shut-" + missing + "/locks";
                try (Probe probe = Probe.over(ZooKeeperBackend.on(client, locks(root, allBut(missing))))) {
                    denied(() -> probe.holder(lock).attempt(), root + "/" + lock);
                    denied(
                            () -> Probe.await(
                                    probe.backend.tokenFloor().orElseThrow().raise(new LockName(lock), 1_000)),
                            root + "/" + lock);
                }
                assertThat(SERVER.admin().client.exists("/shut-" + missing, false))
                        .as("without permission " + missing)
                        .isNull();
            }
        }
    }

    @Test
    void fa12_a_client_whose_acl_shuts_itself_out_leaves_the_name_to_others() throws Exception {
        try (CuratorFramework client = curator();
                Probe other = open()) {
            other.holder("present").granted();
            for (int missing : new int[] {Perms.CREATE, Perms.DELETE, Perms.READ, Perms.ALL}) {
                try (Probe probe =
                        Probe.over(ZooKeeperBackend.on(client, locks(ZooKeeperLocks.DEFAULT_ROOT, allBut(missing))))) {
                    denied(() -> probe.holder(lock + missing).attempt(), ServerAdmin.folder(lock + missing));
                }
                assertThat(SERVER.admin().client.exists(ServerAdmin.folder(lock + missing), false))
                        .isNull();
                assertThat(other.holder(lock + missing).granted().token()).isPositive();
            }
        }
    }
}
