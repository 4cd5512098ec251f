package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Acquire, wait and release on a real server without faults. */
class AcquisitionTest {
    private static ZooKeeperServer server;
    private static ServerAdmin servers;

    private String lock;
    private Probe a;
    private Probe b;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        servers = ServerAdmin.connect(server);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
        server.close();
    }

    @BeforeEach
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        a = open();
        b = open();
    }

    private static Probe open() {
        return Probe.connect("zookeeper://" + server.connectString() + "?sessionTimeout=3s");
    }

    @AfterEach
    void nothing_is_left() {
        a.close();
        b.close();
        await().untilAsserted(() -> {
            assertThat(servers.watches()).isZero();
            assertThat(servers.ephemerals()).isZero();
        });
    }

    @Test
    void a_free_lock_is_granted_with_the_transaction_of_its_node_as_token() throws Exception {
        Grant grant = a.holder(lock).granted();

        assertThat(servers.children(lock)).hasSize(1);
        assertThat(servers.stat(lock, servers.children(lock).get(0)).getCzxid()).isEqualTo(grant.token());
        assertThat(grant.validity()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void a_node_says_which_process_asked_for_it_and_the_server_since_when() throws Exception {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Probe.Holder first = a.holder(lock);
        Grant grant = first.granted();
        b.holder(lock).attempt();
        assertThat(Probe.await(a.holder(lock).transferFrom(grant).attempt())).isInstanceOf(Attempt.Busy.class);

        assertThat(servers.children(lock)).hasSize(2);
        for (String child : servers.children(lock)) {
            String[] origin = servers.data(lock, child).split("\\|");
            assertThat(origin).as(String.join("|", origin)).hasSize(2);
            assertThat(origin[0]).isEqualTo("1");
            assertThat(origin[1])
                    .startsWith(ProcessHandle.current().pid() + "@")
                    .doesNotEndWith("@");
            assertThat(Instant.ofEpochMilli(servers.stat(lock, child).getCtime()))
                    .isBetween(before, Instant.now());
        }
    }

    @Test
    void the_same_holder_asking_again_is_the_same_grant() throws Exception {
        Probe.Holder holder = a.holder(lock);

        assertThat(holder.granted().token()).isEqualTo(holder.granted().token());
        assertThat(servers.children(lock)).hasSize(1);
    }

    @Test
    void two_attempts_of_one_holder_at_once_make_one_node() throws Exception {
        Probe.Holder holder = a.holder(lock);

        var first = holder.start();
        var second = holder.start();

        assertThat(Probe.await(first)).isInstanceOf(Attempt.Granted.class);
        assertThat(Probe.await(second)).isInstanceOf(Attempt.Granted.class);
        assertThat(servers.children(lock)).hasSize(1);
    }

    @Test
    void me2_second_client_is_refused_while_first_holds_and_told_when_it_may_go_on() {
        Probe.Holder first = a.holder(lock);
        Probe.Holder second = b.holder(lock);
        Grant earlier = first.granted();
        assertThat(second.attempt()).isInstanceOf(Attempt.Busy.class);

        assertThat(first.release()).isEqualTo(Released.RELEASED);

        second.awaitSignal(Signal.MAYBE_FREE);
        assertThat(second.granted().token()).isGreaterThan(earlier.token());
    }

    @Test
    void a_single_try_on_a_busy_lock_leaves_no_node() throws Exception {
        a.holder(lock).granted();

        assertThat(b.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);

        assertThat(servers.children(lock)).hasSize(1);
    }

    @Test
    void a_single_try_does_not_let_a_waiter_in_early() {
        Probe.Holder holder = a.holder(lock);
        Probe.Holder waiter = b.holder(lock);
        holder.granted();
        CompletableFuture<Attempt> tried = a.trier(lock).start().toCompletableFuture();
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
        assertThat(Probe.await(tried)).isInstanceOf(Attempt.Busy.class);

        assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
        holder.release();
        assertThat(waiter.waited().token()).isPositive();
    }

    @Test
    void li6_waiters_are_served_in_the_order_in_which_they_came() {
        Probe.Holder holder = a.holder(lock);
        holder.granted();
        List<Probe.Holder> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Probe.Holder waiter = (i % 3 == 0 ? a : b).holder(lock);
            assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
            waiters.add(waiter);
        }

        holder.release();

        long token = 0;
        for (int i = 0; i < waiters.size(); i++) {
            waiters.get(i).awaitSignal(Signal.MAYBE_FREE);
            for (Probe.Holder later : waiters.subList(i + 1, waiters.size())) {
                assertThat(later.signals).as("one release wakes one waiter").isEmpty();
            }
            Grant grant = waiters.get(i).granted();
            assertThat(grant.token()).isGreaterThan(token);
            token = grant.token();
            waiters.get(i).release();
        }
    }

    @Test
    void li5_a_waiter_that_withdraws_lets_nobody_in_early_and_leaves_no_watch() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Probe.Holder middle = b.holder(lock);
        Probe.Holder last = a.holder(lock);
        holder.granted();
        middle.attempt();
        last.attempt();

        assertThat(middle.release()).isEqualTo(Released.NOT_HELD);

        await().untilAsserted(() -> assertThat(servers.watches())
                .as("the last watches the holder and itself")
                .isEqualTo(2));
        assertThat(last.signals).as("woken for nothing").isEmpty();
        assertThat(last.attempt()).isInstanceOf(Attempt.Busy.class);
        last.release();
        await().untilAsserted(() -> assertThat(servers.watches()).isZero());
        assertThat(servers.children(lock)).hasSize(1);
        assertThat(holder.signals).isEmpty();
    }

    @Test
    void ow1_release_ends_what_the_holder_has_and_nothing_else() throws Exception {
        Probe.Holder holder = a.holder(lock);
        holder.granted();

        assertThat(b.holder(lock).release()).isEqualTo(Released.NOT_HELD);
        assertThat(servers.children(lock)).hasSize(1);
        assertThat(holder.release()).isEqualTo(Released.RELEASED);
        assertThat(holder.release()).isEqualTo(Released.NOT_HELD);
        assertThat(servers.children(lock)).isEmpty();
    }

    @Test
    void a_release_that_overtakes_the_answer_of_the_attempt_leaves_nothing() throws Exception {
        for (int i = 0; i < 50; i++) {
            Probe.Holder holder = a.holder(lock);
            var attempt = holder.start();
            holder.release();
            Probe.await(attempt);
        }

        assertThat(servers.children(lock)).isEmpty();
    }

    @Test
    void foreign_children_are_ignored() throws Exception {
        Probe.Holder holder = a.holder(lock);
        holder.granted();
        servers.create(lock, "_c_9-lock-0000000000");
        servers.create(lock, "readme");
        holder.release();

        assertThat(b.holder(lock).granted().token()).isPositive();

        servers.delete(lock, "_c_9-lock-0000000000");
        servers.delete(lock, "readme");
    }

    @Test
    void zk7_a_deleted_parent_is_made_again_and_the_token_is_still_larger() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Grant before = holder.granted();
        holder.release();
        servers.client.delete(ServerAdmin.folder(lock), -1);

        Grant after = b.holder(lock).granted();

        assertThat(after.token()).isGreaterThan(before.token());
        assertThat(servers.children(lock).get(0)).endsWith("-0000000001");
    }

    @Test
    void ap4_names_that_look_alike_are_different_locks() {
        for (String name : List.of("a/b", "a%2Fb", "a", "/", ".", "..", "%2E", "zookeeper", "😀", "\u0001", "{a}")) {
            assertThat(a.holder(name).granted().token()).as(name).isPositive();
        }
    }

    @Test
    void le6_a_holder_whose_node_an_administrator_deletes_is_told_so() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Grant grant = holder.granted();

        servers.delete(lock, servers.children(lock).get(0));

        holder.awaitSignal(Signal.LOST);
        assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(holder.release()).isEqualTo(Released.NOT_HELD);
        assertThat(a.holder(lock).granted().token()).isGreaterThan(grant.token());
    }

    @Test
    void renewal_tells_the_lost_from_the_held_in_one_batch() throws Exception {
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 450; i++) {
            grants.add(a.holder(lock + i).granted());
        }
        servers.delete(lock + 7, servers.children(lock + 7).get(0));
        servers.delete(lock + 300, servers.children(lock + 300).get(0));

        List<Renewal> renewals = a.renew(grants);

        assertThat(renewals).hasSize(450);
        for (int i = 0; i < 450; i++) {
            assertThat(renewals.get(i)).isInstanceOf(i == 7 || i == 300 ? Renewal.Lost.class : Renewal.Renewed.class);
        }
    }

    @Test
    void a_waiter_whose_node_an_administrator_deletes_is_told_to_take_a_new_holder() throws Exception {
        a.holder(lock).granted();
        Probe.Holder waiter = b.holder(lock);
        waiter.attempt();

        servers.delete(
                lock,
                servers.children(lock).stream()
                        .filter(child -> child.contains(waiter.claim.holder().value()))
                        .findFirst()
                        .orElseThrow());

        waiter.awaitSignal(Signal.MAYBE_FREE);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Gone.class);
    }

    @Test
    void a_waiter_is_not_first_when_its_own_node_was_deleted_before_its_predecessor() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Probe.Holder waiter = b.holder(lock);
        holder.granted();
        waiter.attempt();
        servers.delete(
                lock,
                servers.children(lock).stream()
                        .filter(child -> child.contains(waiter.claim.holder().value()))
                        .findFirst()
                        .orElseThrow());
        holder.release();

        waiter.awaitSignal(Signal.MAYBE_FREE);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Gone.class);
    }

    @Test
    void writing_to_a_node_uses_watches_up_but_disturbs_nobody() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Probe.Holder waiter = b.holder(lock);
        holder.granted();
        waiter.attempt();
        await().untilAsserted(() -> assertThat(servers.watches()).isEqualTo(2));
        for (String child : servers.children(lock)) {
            servers.write(lock, child, (byte) 1);
        }
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
        await().untilAsserted(() -> assertThat(servers.watches()).isEqualTo(2));

        assertThat(holder.release()).isEqualTo(Released.RELEASED);

        assertThat(waiter.waited().token()).isPositive();
    }

    @Test
    void watches_that_somebody_takes_off_in_the_same_session_are_set_again() throws Exception {
        try (CuratorFramework shared = CuratorFrameworkFactory.builder()
                .connectString(server.connectString())
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .build()) {
            shared.start();
            shared.blockUntilConnected();
            try (Probe one = Probe.over(ZooKeeperBackend.on(shared, ZooKeeperLocks.defaults()));
                    Probe two = Probe.over(ZooKeeperBackend.on(shared, ZooKeeperLocks.defaults()))) {
                Probe.Holder holder = a.holder(lock);
                Probe.Holder middle = one.holder(lock);
                Probe.Holder last = two.holder(lock);
                holder.granted();
                assertThat(middle.attempt()).isInstanceOf(Attempt.Busy.class);
                assertThat(last.attempt()).isInstanceOf(Attempt.Busy.class);

                last.release();

                await().untilAsserted(() -> assertThat(servers.watches()).isEqualTo(2));
                assertThat(middle.attempt()).isInstanceOf(Attempt.Busy.class);
                holder.release();
                assertThat(middle.waited().token()).isPositive();
            }
        }
    }

    @Test
    void a_transfer_hands_the_lock_to_the_next_holder_when_nobody_else_waits() throws Exception {
        Probe.Holder first = a.holder(lock);
        Probe.Holder second = a.holder(lock);
        Grant grant = first.granted();

        Transfer transfer = second.transferFrom(grant);

        assertThat(Probe.await(transfer.released())).isEqualTo(Released.RELEASED);
        Attempt attempt = Probe.await(transfer.attempt());
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        assertThat(((Attempt.Granted) attempt).grant().token()).isGreaterThan(grant.token());
        assertThat(servers.children(lock)).hasSize(1);
        assertThat(first.release()).isEqualTo(Released.NOT_HELD);
        assertThat(second.release()).isEqualTo(Released.RELEASED);
    }

    @Test
    void a_transfer_queues_behind_those_who_wait_already() {
        Probe.Holder first = a.holder(lock);
        Probe.Holder remote = b.holder(lock);
        Probe.Holder second = a.holder(lock);
        Grant grant = first.granted();
        remote.attempt();

        assertThat(Probe.await(second.transferFrom(grant).attempt())).isInstanceOf(Attempt.Busy.class);

        Grant theirs = remote.waited();
        remote.release();
        assertThat(second.waited().token()).isGreaterThan(theirs.token());
    }

    @Test
    void a_transfer_from_a_node_that_an_administrator_deleted_says_so_and_acquires() throws Exception {
        Probe.Holder first = a.holder(lock);
        Grant grant = first.granted();
        servers.delete(lock, servers.children(lock).get(0));

        Transfer transfer = a.holder(lock).transferFrom(grant);

        assertThat(Probe.await(transfer.released())).isEqualTo(Released.NOT_HELD);
        assertThat(Probe.await(transfer.attempt())).isInstanceOf(Attempt.Granted.class);
        assertThat(servers.children(lock)).hasSize(1);
    }

    @Test
    void me2_fe1_no_two_clients_hold_at_once_and_every_token_is_larger() {
        AtomicInteger holding = new AtomicInteger();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        List<Probe> clients = List.of(a, b, open(), open());
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (Probe client : clients) {
            for (int thread = 0; thread < 2; thread++) {
                running.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 40; i++) {
                                Probe.Holder holder = client.holder(lock);
                                tokens.add(holder.waited().token());
                                assertThat(holding.incrementAndGet()).isEqualTo(1);
                                holding.decrementAndGet();
                                assertThat(holder.release()).isEqualTo(Released.RELEASED);
                            }
                        },
                        task -> new Thread(task).start()));
            }
        }

        running.forEach(CompletableFuture::join);

        assertThat(tokens).hasSize(320).isSorted().doesNotHaveDuplicates();
        clients.subList(2, 4).forEach(Probe::close);
    }

    @Test
    void a_foreign_node_in_the_way_is_an_error_and_not_busy() throws Exception {
        servers.client.create("/foreign", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        try (Probe strange = Probe.connect("zookeeper://" + server.connectString() + "/foreign")) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> strange.holder(lock).attempt())
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE))
                    .withMessageContaining("foreign ephemeral node");
        } finally {
            servers.client.delete("/foreign", -1);
        }
    }
}
