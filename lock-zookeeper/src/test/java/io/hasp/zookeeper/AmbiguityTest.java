package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Requests without an answer, whether the server carried them out or not. */
class AmbiguityTest {
    private static ZooKeeperServer server;
    private static ServerAdmin servers;

    private String lock;
    private FaultProxy proxy;
    private Probe probe;

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
    void open(TestInfo test) throws Exception {
        lock = test.getTestMethod().orElseThrow().getName();
        proxy = FaultProxy.before(server.port());
        probe = Probe.connect("zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=10s&commandTimeout=1500ms");
        Probe.Holder warm = probe.holder(lock);
        warm.granted();
        warm.release();
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        probe.close();
        proxy.close();
        await().untilAsserted(() -> {
            assertThat(servers.watches()).isZero();
            assertThat(servers.ephemerals()).isZero();
        });
    }

    /** Ends the connection; the next one works. */
    private void cut() {
        proxy.cut(ConnectionEnd.RST);
        proxy.heal();
    }

    private static void unknown(CompletionStage<?> stage) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> Probe.await(stage))
                .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN));
    }

    private void awaitNodes(int count) {
        await().untilAsserted(() -> assertThat(servers.children(lock)).hasSize(count));
    }

    /** Starts an attempt that creates a node, and whose answer is lost with the connection. */
    private void startUnanswered(Probe.Holder holder) {
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletionStage<Attempt> attempt = holder.start();
        awaitNodes(1);
        cut();
        unknown(attempt);
    }

    @Test
    void a_silent_connection_is_reported_within_the_command_timeout() {
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        long started = System.nanoTime();

        unknown(probe.holder(lock).start());

        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void zk3_a_creation_whose_answer_is_lost_makes_one_node_and_is_found() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        startUnanswered(holder);
        String node = servers.children(lock).get(0);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.attempt()).isInstanceOf(Attempt.Granted.class));

        assertThat(servers.children(lock)).containsExactly(node);
        assertThat(holder.granted().token()).isEqualTo(servers.stat(lock, node).getCzxid());
    }

    @Test
    void zk3_a_creation_that_is_lost_itself_is_made_up_for_once() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        CompletionStage<Attempt> attempt = holder.start();
        unknown(attempt);
        cut();

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.attempt()).isInstanceOf(Attempt.Granted.class));

        assertThat(servers.children(lock)).hasSize(1);
    }

    @Test
    void fa5_giving_up_after_a_lost_answer_leaves_no_node() {
        Probe.Holder holder = probe.holder(lock);
        startUnanswered(holder);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.release()).isEqualTo(Released.NOT_HELD));

        awaitNodes(0);
        assertThat(probe.holder(lock).granted().token()).isPositive();
    }

    @Test
    void giving_up_while_the_answer_is_awaited_leaves_no_node_either() {
        Probe.Holder holder = probe.holder(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        holder.start();
        awaitNodes(1);
        unknown(probe.backend.release(holder.claim));

        cut();

        awaitNodes(0);
    }

    @Test
    void zk8_a_deletion_that_is_lost_is_repeated_in_the_background() {
        Probe.Holder holder = probe.holder(lock);
        holder.granted();
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        unknown(probe.backend.release(holder.claim));

        cut();

        awaitNodes(0);
        assertThat(probe.holder(lock).waited().token()).isPositive();
    }

    @Test
    void zk8_a_deletion_whose_answer_is_lost_has_released_the_lock() {
        Probe.Holder holder = probe.holder(lock);
        holder.granted();
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletableFuture<Released> released =
                probe.backend.release(holder.claim).toCompletableFuture();
        awaitNodes(0);
        cut();
        unknown(released);

        await().ignoreExceptions().until(() -> holder.release() != null);
        assertThat(probe.holder(lock).granted().token()).isPositive();
    }

    @Test
    void a_transfer_whose_answer_is_lost_keeps_one_node_and_the_new_holder_finds_it() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Probe.Holder second = probe.holder(lock);
        Grant grant = first.granted();
        String before = servers.children(lock).get(0);
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletionStage<Attempt> transfer = second.transferFrom(grant).attempt();
        await().untilAsserted(
                        () -> assertThat(servers.children(lock)).hasSize(1).doesNotContain(before));
        cut();
        unknown(transfer);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(second.attempt()).isInstanceOf(Attempt.Granted.class));

        assertThat(second.granted().token()).isGreaterThan(grant.token());
        assertThat(servers.children(lock)).hasSize(1);
    }

    @Test
    void a_transfer_that_is_lost_is_made_up_for() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Probe.Holder second = probe.holder(lock);
        Grant grant = first.granted();
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        unknown(second.transferFrom(grant).attempt());
        cut();

        await().ignoreExceptions().until(() -> second.attempt() instanceof Attempt.Granted);

        assertThat(second.granted().token()).isGreaterThan(grant.token());
        assertThat(servers.children(lock)).hasSize(1);
    }

    @Test
    void a_waiter_notices_a_release_that_happened_while_it_was_cut_off() throws Exception {
        try (Probe other = Probe.connect("zookeeper://" + server.connectString())) {
            Probe.Holder holder = other.holder(lock);
            Probe.Holder waiter = probe.holder(lock);
            Grant grant = holder.granted();
            assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
            proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
            holder.release();

            cut();

            waiter.awaitSignal(Signal.MAYBE_FREE);
            await().ignoreExceptions().until(() -> waiter.attempt() instanceof Attempt.Granted);
            assertThat(waiter.granted().token()).isGreaterThan(grant.token());
        }
    }

    @Test
    void zk4_a_cut_connection_makes_the_holder_suspect_and_its_return_restores_it() {
        Probe.Holder holder = probe.holder(lock);
        Grant grant = holder.granted();

        cut();

        holder.awaitSignal(Signal.SUSPECT);
        holder.awaitSignal(Signal.RESTORED);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.granted().token()).isEqualTo(grant.token()));
    }

    @Test
    void le6_a_holder_whose_node_vanished_while_it_was_cut_off_is_not_granted_again() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        holder.granted();
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        servers.delete(lock, servers.children(lock).get(0));

        cut();

        holder.awaitSignal(Signal.RESTORED);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.attempt()).isInstanceOf(Attempt.Gone.class));
    }

    /** The answers are outdated when they arrive; the check after a silence finds that out. */
    @Test
    void le6_a_node_that_was_deleted_while_its_answers_were_late_by_more_than_a_session_is_not_granted()
            throws Exception {
        Probe.Holder holder = probe.holder(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        CompletionStage<Attempt> attempt = holder.start();
        awaitNodes(1);
        servers.delete(lock, servers.children(lock).get(0));
        probe.passes(Duration.ofSeconds(20));
        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        assertThat(Probe.await(attempt)).isInstanceOf(Attempt.Gone.class);
    }

    @Test
    void after_many_interruptions_no_node_and_no_watch_is_left() throws Exception {
        Random random = new Random(11);
        for (int i = 0; i < Tier.count(4, 16); i++) {
            List<Probe.Holder> holders = List.of(probe.holder(lock), probe.holder(lock), probe.trier(lock));
            int moment = random.nextInt(3);
            if (moment == 0) {
                proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
            } else if (moment == 1) {
                proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
            }
            holders.forEach(Probe.Holder::start);
            cut();
            holders.forEach(holder -> probe.backend.release(holder.claim));
            await().until(this::works);
        }

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(servers.children(lock)).isEmpty();
            assertThat(servers.children("next")).isEmpty();
            assertThat(servers.watches()).isZero();
        });
    }

    private boolean works() {
        Probe.Holder next = probe.holder("next");
        try {
            Attempt attempt = next.attempt();
            // Also after "busy": a holder that stays queued would get the lock and keep it.
            return next.release() == Released.RELEASED && attempt instanceof Attempt.Granted;
        } catch (BackendFailure failure) {
            probe.backend.release(next.claim);
            return false;
        }
    }
}
