package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ZooKeeperSessions;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.spi.Transfer;
import io.hasp.zookeeper.session.SessionPaths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A client with more than one session. */
@InTier(Tier.STANDARD)
class MultiSessionTest {
    private static final String LONG = "-".repeat(110);

    private ZooKeeperServer server;
    private String lock;

    @BeforeEach
    void start(TestInfo test) {
        server = ZooKeeperServer.start();
        lock = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Probe connect(String parameters) {
        return Probe.connect("zookeeper://" + server.connectString() + "?" + parameters);
    }

    private static int sessions(Probe probe) {
        return ((MultiSessionBackend) probe.backend).sessions();
    }

    /** Holds further locks until the client has so many sessions. */
    private static List<Probe.Holder> fill(Probe probe, int sessions) {
        List<Probe.Holder> holders = new ArrayList<>();
        while (sessions(probe) < sessions) {
            List<CompletionStage<Attempt>> pending = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Probe.Holder holder = probe.holder("fill-" + holders.size() + LONG);
                holders.add(holder);
                pending.add(holder.start());
            }
            pending.forEach(each -> assertThat(Probe.await(each)).isInstanceOf(Attempt.Granted.class));
        }
        return holders;
    }

    @Test
    void a_holder_that_was_withdrawn_gets_no_node_in_a_session_that_was_opened_later() {
        try (Probe probe = connect("sessionTimeout=20s&commandTimeout=20s")) {
            Probe.Holder withdrawn = probe.holder(lock);
            assertThat(withdrawn.release()).isEqualTo(Released.NOT_HELD);
            fill(probe, 2);

            assertThat(withdrawn.attempt()).isInstanceOf(Attempt.Gone.class);
        }
    }

    @Test
    void a_transfer_to_a_waiter_in_another_session_gives_it_no_second_node() throws Exception {
        try (Probe probe = connect("sessionTimeout=20s&commandTimeout=20s");
                ServerAdmin admin = ServerAdmin.connect(server)) {
            Probe.Holder holder = probe.holder(lock);
            Grant grant = holder.granted();
            for (Probe.Holder filler : fill(probe, 2).subList(0, 400)) {
                String name = filler.claim.name().value();
                assertThat(probe.holder(name).attempt()).isInstanceOf(Attempt.Busy.class);
            }
            Probe.Holder waiter = probe.holder(lock);
            assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);

            Transfer transfer = probe.backend.transfer(grant, waiter.claim, waiter.signals::add);

            assertThat(Probe.await(transfer.released())).isEqualTo(Released.RELEASED);
            assertThat(Probe.await(transfer.attempt())).isInstanceOf(Attempt.Granted.class);
            assertThat(admin.children(lock)).hasSize(1);
        }
    }

    @Test
    void sessions_without_locks_are_closed() throws Exception {
        try (Probe probe = connect("sessionTimeout=20s&commandTimeout=20s")) {
            Probe.Holder holder = probe.holder(lock);
            Grant grant = holder.granted();
            List<Probe.Holder> holders = fill(probe, 3);
            holders.stream()
                    .map(each -> probe.backend.release(each.claim))
                    .toList()
                    .forEach(released -> assertThat(Probe.await(released)).isEqualTo(Released.RELEASED));

            await().atMost(Duration.ofSeconds(60)).until(() -> sessions(probe) == 1 && connections() == 1);
            assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
            assertThat(holder.signals).isEmpty();
            assertThat(fill(probe, 2)).isNotEmpty();
        }
    }

    private long connections() throws Exception {
        return server.ask("cons")
                .lines()
                .filter(line -> line.contains("sid=0x"))
                .count();
    }

    @Test
    void ap6_sessions_are_closed_at_the_same_time_when_the_server_is_silent() {
        Probe probe = connect("sessionTimeout=40s&commandTimeout=3s&connectionTimeout=20s");
        fill(probe, 6);
        server.pause();
        long begun = System.nanoTime();

        probe.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(5_500));
        server.resume();
    }

    @Test
    void a_client_that_is_closed_while_it_opens_a_session_leaves_none() throws Exception {
        Probe probe = connect("sessionTimeout=20s&commandTimeout=20s");
        CompletionStage<Attempt> last = probe.holder(lock).start();
        for (int i = 0; sessions(probe) == 1 && i < 4_000; i++) {
            last = probe.holder("close-" + i + LONG).start();
        }

        probe.close();

        await().until(() -> connections() == 0);
        assertThat(last.toCompletableFuture().isDone()).isTrue();
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> probe.holder(lock).attempt())
                .withMessageContaining("closed");
    }

    @Test
    void zk13_two_lock_clients_on_one_curator_client_count_their_paths_together() {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(server.connectString(), 20_000, 10_000, new RetryOneTime(100));
        client.start();
        await().until(client.getZookeeperClient()::isConnected);
        try (Probe a = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()));
                Probe b = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()))) {
            for (int i = 0; i < SessionPaths.LIMIT * 2 / 3 / 200; i++) {
                assertThat(Probe.await(a.holder("a-" + i + LONG).start())).isInstanceOf(Attempt.Granted.class);
            }

            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> {
                        for (int i = 0; i < SessionPaths.LIMIT * 2 / 3 / 200; i++) {
                            Probe.await(b.holder("b-" + i + LONG).start());
                        }
                    })
                    .withMessageContaining("524288");
        } finally {
            client.close();
        }
    }

    @Test
    void after_a_stall_locks_are_granted_at_once() throws Exception {
        try (Probe probe = connect("sessionTimeout=8s&commandTimeout=5s")) {
            Probe.Holder before = probe.holder(lock + "-before");
            before.granted();
            assertThat(sessions(probe)).isEqualTo(1);

            // A silence of less than two thirds of the timeout keeps the connection. The age makes the deadline as
            // early as it gets.
            Thread.sleep(4_500);
            server.pause();
            Thread.sleep(5_000);
            server.resume();

            long begun = System.nanoTime();
            assertThat(probe.trier(lock).answered()).isInstanceOf(Attempt.Granted.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("the proof alone takes a quarter of the timeout")
                    .isLessThan(Duration.ofSeconds(2));
            // The former session may be proved alive before a further one is wanted.
            assertThat(sessions(probe)).isLessThanOrEqualTo(2);
            assertThat(probe.trier(lock + "-before").answered()).isInstanceOf(Attempt.Busy.class);
            assertThat(before.release()).isEqualTo(Released.RELEASED);
        }
    }

    @Test
    void the_locks_of_other_sessions_outlive_one_that_ends() throws Exception {
        try (FaultProxy proxy = FaultProxy.before(server.port());
                Probe other = connect("sessionTimeout=20s");
                Probe probe = Probe.connect(
                        "zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=20s&commandTimeout=20s")) {
            Probe.Holder first = probe.holder(lock);
            first.granted();
            List<Probe.Holder> holders = fill(probe, 2);
            Probe.Holder last = holders.get(holders.size() - 1);
            Grant grant = last.granted();
            Probe.Holder reader = probe.holder(lock + "-r", Share.READ);
            Probe.Holder second = probe.holder(lock + "-r", Share.READ);
            reader.granted();
            second.granted();

            expireSessionOf(lock);

            first.awaitSignal(Signal.LOST);
            assertThat(other.trier(lock).answered()).isInstanceOf(Attempt.Granted.class);
            assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
            assertThat(last.signals).doesNotContain(Signal.LOST);
            assertThat(other.trier(lock + "-r", Share.WRITE).answered()).isInstanceOf(Attempt.Busy.class);
            assertThat(reader.release()).isEqualTo(Released.RELEASED);
            assertThat(second.release()).isEqualTo(Released.RELEASED);
            assertThat(other.trier(lock + "-r", Share.WRITE).answered()).isInstanceOf(Attempt.Granted.class);
            assertThat(probe.trier(lock + "-2").answered()).isInstanceOf(Attempt.Granted.class);
            proxy.cut(ConnectionEnd.RST);
            proxy.heal();
            assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.class);
        }
    }

    /** Ends the session that owns the node of a lock. */
    private void expireSessionOf(String name) throws Exception {
        try (ServerAdmin admin = ServerAdmin.connect(server)) {
            long owner = admin.stat(name, admin.children(name).get(0)).getEphemeralOwner();
            assertThat(server.ask("dump")).contains("0x" + Long.toHexString(owner));
            ZooKeeperSessions.expire(server.connectString(), owner, ZooKeeperSessions.passwordOf(owner));
        }
    }
}
