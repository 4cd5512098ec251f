package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes of holders, each of which has a watch from the first beat on: no later request names it. */
@InTier(Tier.STANDARD)
class HeldNodesTest extends ProxiedClientFixture {
    private static final int LOCKS = 1_000;
    private static final Duration SESSION = Duration.ofSeconds(20);

    private Probe client;

    @BeforeEach
    void connect() {
        client = Probe.connect("zookeeper://127.0.0.1:" + proxy.port() + "?commandTimeout=20s&sessionTimeout="
                + SESSION.toSeconds() + "s");
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void a_thousand_held_locks_cost_one_transaction_and_a_few_requests_for_each_beat() throws Exception {
        List<Probe.Holder> holders = new ArrayList<>();
        List<CompletionStage<Attempt>> attempts = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            holders.add(client.holder(lock + i));
            attempts.add(holders.get(i).start());
        }
        List<Grant> grants = new ArrayList<>();
        for (CompletionStage<Attempt> attempt : attempts) {
            grants.add(((Attempt.Granted) Probe.await(attempt)).grant());
        }
        awaitWatches(LOCKS);
        long transactions = transactions();
        long packets = SERVER.admin().packets();

        for (int i = 0; i < 8; i++) {
            Thread.sleep(SESSION.toMillis() / 20);
            assertThat(client.renew(grants)).allMatch(Renewal.Renewed.class::isInstance);
        }

        assertThat(transactions() - transactions)
                .as("one for each beat, and empty folders of other tests")
                .isBetween(1L, 20L);
        assertThat(SERVER.admin().packets() - packets)
                .as("three for each beat, and pings")
                .isLessThan(60);
        assertThat(holders).noneMatch(holder -> holder.signals.contains(Signal.LOST));
    }

    /** The number of transactions so far, which a server writes to its disk. */
    private static long transactions() throws IOException {
        return SERVER.server()
                .ask("srvr")
                .lines()
                .filter(line -> line.startsWith("Zxid: 0x"))
                .mapToLong(line -> Long.parseLong(line.substring("Zxid: 0x".length()), 16))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitWatches(int count) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(SERVER.admin().watches()).isEqualTo(count));
    }

    @Test
    void le6_the_holder_of_a_watched_node_is_told_of_its_deletion_within_a_lease() throws Exception {
        Probe.Holder holder = client.holder(lock);
        Grant grant = holder.granted();
        awaitWatches(1);
        long before = System.nanoTime();

        deleteNode();

        holder.awaitSignal(Signal.LOST);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SESSION);
        assertThat(client.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(holder.attempt()).isInstanceOf(Attempt.Gone.class);
    }

    @Test
    void le6_a_watched_node_that_is_deleted_during_an_interruption_is_lost_after_it() throws Exception {
        Probe.Holder holder = client.holder(lock);
        Grant grant = holder.granted();
        awaitWatches(1);
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        deleteNode();

        cut();

        holder.awaitSignal(Signal.LOST);
        assertThat(client.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void zk4_a_watched_node_is_confirmed_anew_after_an_interruption() throws Exception {
        Probe.Holder holder = client.holder(lock);
        Grant grant = holder.granted();
        awaitWatches(1);
        assertThat(client.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
        long before = transactions();

        cut();

        holder.awaitSignal(Signal.RESTORED);
        assertThat(await().ignoreExceptions()
                        .until(() -> client.renew(List.of(grant)).get(0), answer -> true))
                .isInstanceOf(Renewal.Renewed.class);
        assertThat(transactions()).isGreaterThan(before);
        awaitWatches(1);
        deleteNode();
        holder.awaitSignal(Signal.LOST);
    }

    @Test
    void le6_a_watch_that_a_write_used_up_is_set_again() throws Exception {
        Probe.Holder holder = client.holder(lock);
        holder.granted();
        awaitWatches(1);
        SERVER.admin().write(lock, SERVER.admin().children(lock).get(0), (byte) 1);
        awaitWatches(0);
        awaitWatches(1);
        assertThat(holder.signals).doesNotContain(Signal.LOST);

        deleteNode();

        holder.awaitSignal(Signal.LOST);
    }

    @Test
    void le6_a_watch_that_the_application_removes_from_its_session_is_set_again() throws Exception {
        try (CuratorFramework shared = CuratorFrameworkFactory.builder()
                .connectString(address())
                .sessionTimeoutMs((int) SESSION.toMillis())
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .build()) {
            shared.start();
            shared.blockUntilConnected();
            try (Probe one = Probe.over(ZooKeeperBackend.on(shared, ZooKeeperLocks.defaults()))) {
                Probe.Holder holder = one.holder(lock);
                holder.granted();
                int withEndOfSession = 2;
                awaitWatches(withEndOfSession);
                shared.getZookeeperClient()
                        .getZooKeeper()
                        .removeAllWatches(
                                ServerAdmin.folder(lock) + "/" + holder.node(), Watcher.WatcherType.Any, false);
                awaitWatches(withEndOfSession - 1);
                awaitWatches(withEndOfSession);

                deleteNode();

                holder.awaitSignal(Signal.LOST);
            }
        }
    }

    @Test
    void fa12_a_node_that_can_not_be_watched_is_checked_by_each_beat() throws Exception {
        Probe.Holder holder = client.holder(lock);
        Grant grant = holder.granted();
        String node =
                ServerAdmin.folder(lock) + "/" + SERVER.admin().children(lock).get(0);
        SERVER.admin().client.setACL(node, Arrays.asList(new ACL(Perms.ALL, new Id("ip", "192.0.2.1"))), -1);

        assertThat(client.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Unknown.class);
        deleteNode();

        holder.awaitSignal(Signal.LOST);
    }

    /** The server sends no event of a node that the session may not read. */
    @Test
    void le6_a_watched_node_that_becomes_unreadable_and_is_deleted_is_lost_within_a_lease() throws Exception {
        Probe.Holder holder = client.holder(lock);
        Grant grant = holder.granted();
        awaitWatches(1);
        String node =
                ServerAdmin.folder(lock) + "/" + SERVER.admin().children(lock).get(0);
        SERVER.admin().client.setACL(node, Arrays.asList(new ACL(Perms.ALL, new Id("ip", "192.0.2.1"))), -1);
        long before = System.nanoTime();

        deleteNode();

        holder.awaitSignal(Signal.LOST);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SESSION);
        assertThat(client.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
    }

    private void deleteNode() throws Exception {
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));
    }
}
