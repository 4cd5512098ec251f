package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.faults.ZooKeeperSessions;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.OneServer;
import io.hasp.zookeeper.Probe;
import io.hasp.zookeeper.ServerAdmin;
import io.hasp.zookeeper.ZooKeeperBackend;
import io.hasp.zookeeper.ZooKeeperLocks;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Holders and waiters when the connection, the server or the session fails. */
@InTier(Tier.STANDARD)
class SessionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private String lock;
    private CuratorFramework client;
    private Probe probe;
    private Probe other;

    @BeforeEach
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        if (!SERVER.server().running()) {
            SERVER.server().restart();
        }
        client = CuratorFrameworkFactory.builder()
                .connectString(SERVER.server().connectString())
                .sessionTimeoutMs((int) TIMEOUT.toMillis())
                .connectionTimeoutMs(5_000)
                .retryPolicy(new RetryOneTime(100))
                .build();
        client.start();
        ZooKeeperLocks defaults = ZooKeeperLocks.defaults();
        probe = Probe.over(ZooKeeperBackend.on(
                client, new ZooKeeperLocks(defaults.root(), defaults.acl(), Duration.ofSeconds(1))));
        await().ignoreExceptions().until(() -> session().getState() == ZooKeeper.States.CONNECTED);
        other = Probe.connect(
                "zookeeper://" + SERVER.server().connectString() + "?sessionTimeout=60s&commandTimeout=20s");
    }

    @AfterEach
    void close() {
        SERVER.server().resume();
        other.close();
        probe.close();
        client.close();
    }

    private ZooKeeper session() throws Exception {
        return client.getZookeeperClient().getZooKeeper();
    }

    private List<String> children() throws Exception {
        try (ServerAdmin servers = ServerAdmin.connect(SERVER.server())) {
            return servers.children(lock);
        }
    }

    @Test
    void zk1_a_session_that_ends_is_a_lock_that_is_lost_and_stays_lost() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        Grant grant = holder.granted();

        ZooKeeperSessions.expire(
                SERVER.server().connectString(),
                session().getSessionId(),
                session().getSessionPasswd());

        holder.awaitSignal(Signal.LOST);
        await().ignoreExceptions().until(() -> session().getState() == ZooKeeper.States.CONNECTED);
        assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(holder.release()).isEqualTo(Released.NOT_HELD);
        assertThat(probe.holder(lock).granted().token()).isGreaterThan(grant.token());
    }

    @Test
    void zk1_all_readers_that_share_a_node_are_told_that_its_session_ended() throws Exception {
        Probe.Holder first = probe.holder(lock, Share.READ);
        Probe.Holder second = probe.holder(lock, Share.READ);
        long token = first.granted().token();
        Grant joined = second.granted();

        ZooKeeperSessions.expire(
                SERVER.server().connectString(),
                session().getSessionId(),
                session().getSessionPasswd());

        first.awaitSignal(Signal.LOST);
        second.awaitSignal(Signal.LOST);
        await().ignoreExceptions().until(() -> session().getState() == ZooKeeper.States.CONNECTED);
        assertThat(probe.renew(List.of(joined)).get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(first.release()).isEqualTo(Released.NOT_HELD);
        assertThat(probe.holder(lock, Share.READ).granted().token()).isGreaterThan(token);
    }

    @Test
    void zk2_a_waiter_whose_session_ended_takes_a_new_holder_and_never_its_old_node() throws Exception {
        Probe.Holder holder = other.holder(lock);
        Probe.Holder waiter = probe.holder(lock);
        holder.granted();
        waiter.attempt();

        ZooKeeperSessions.expire(
                SERVER.server().connectString(),
                session().getSessionId(),
                session().getSessionPasswd());

        waiter.awaitSignal(Signal.MAYBE_FREE);
        await().ignoreExceptions().until(() -> session().getState() == ZooKeeper.States.CONNECTED);
        assertThat(waiter.answered()).isInstanceOf(Attempt.Gone.class);
        assertThat(probe.holder(lock).answered()).isInstanceOf(Attempt.Busy.class);
        await().untilAsserted(() -> assertThat(children()).hasSize(2));
        assertThat(holder.release()).isEqualTo(Released.RELEASED);
    }

    @Test
    void zk4_a_silent_server_makes_the_holder_suspect_and_its_return_restores_it() throws Exception {
        // A client notices silence after two thirds of its session and may pause a second before it connects again:
        // the last third must leave room for that.
        try (Probe patient = Probe.connect("zookeeper://" + SERVER.server().connectString() + "?sessionTimeout=9s")) {
            Probe.Holder holder = patient.holder(lock);
            Grant grant = holder.granted();

            SERVER.server().pause();
            holder.awaitSignal(Signal.SUSPECT);
            SERVER.server().resume();

            holder.awaitSignal(Signal.RESTORED);
            assertThat(patient.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
            assertThat(holder.granted().token()).isEqualTo(grant.token());
            assertThat(holder.signals).doesNotContain(Signal.LOST);
            assertThat(children()).hasSize(1);
        }
    }

    @Test
    void le5_while_the_server_is_silent_no_validity_is_promised_beyond_the_session() {
        Probe.Holder holder = probe.holder(lock);
        Grant grant = holder.granted();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();

        SERVER.server().pause();
        assertThatExceptionOfType(BackendFailure.class).isThrownBy(() -> probe.renew(List.of(grant)));

        holder.awaitSignal(Signal.LOST);
        assertThat(System.nanoTime())
                .as("Curator's own loss comes after the deadline")
                .isGreaterThan(deadline);
        SERVER.server().resume();
    }

    @Test
    void le2_a_holder_is_kept_for_many_session_timeouts() {
        Grant grant = probe.holder(lock).granted();
        long end = System.nanoTime() + TIMEOUT.multipliedBy(2).toNanos();

        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofMinutes(1))
                .until(() -> {
                    Renewal renewal = probe.renew(List.of(grant)).get(0);
                    assertThat(((Renewal.Renewed) renewal).validity()).isBetween(TIMEOUT.dividedBy(3), TIMEOUT);
                    return System.nanoTime() - end > 0;
                });
    }

    @Test
    void without_any_renewal_the_heartbeat_alone_keeps_the_promise_fresh() {
        Probe.Holder holder = other.holder(lock);
        Probe.Holder waiter = probe.holder(lock);
        holder.granted();
        waiter.attempt();
        long end = System.nanoTime() + TIMEOUT.multipliedBy(2).toNanos();
        await().atMost(Duration.ofMinutes(1)).until(() -> System.nanoTime() - end > 0);

        holder.release();

        assertThat(waiter.waited().validity()).isGreaterThan(TIMEOUT.dividedBy(3));
    }

    @Test
    void fa3_a_restarted_server_keeps_holder_and_waiters() throws Exception {
        Probe.Holder holder = other.holder(lock);
        Probe.Holder waiter = probe.holder(lock);
        Grant grant = holder.granted();
        waiter.attempt();

        SERVER.server().kill();
        SERVER.server().restart();

        holder.awaitSignal(Signal.RESTORED);
        assertThat(holder.granted().token()).isEqualTo(grant.token());
        assertThat(holder.release()).isEqualTo(Released.RELEASED);
        // Restarting may take longer than the waiter's short session.
        await().atMost(Duration.ofSeconds(30))
                .ignoreException(BackendFailure.class)
                .until(() -> {
                    Attempt attempt = waiter.attempt();
                    return attempt instanceof Attempt.Granted || attempt instanceof Attempt.Gone;
                });
        waiter.release();
        assertThat(probe.holder(lock).waited().token()).isGreaterThan(grant.token());
    }

    @Test
    void fa11_an_outage_is_a_failure_and_never_busy() {
        SERVER.server().kill();

        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> {
                    Attempt attempt = probe.trier(lock).attempt();
                    throw new AssertionError(attempt);
                })
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE));
    }

    @Test
    void li1_a_client_that_falls_silent_is_succeeded_in_time_and_only_after_its_own_deadline() throws Exception {
        Duration timeout = Duration.ofSeconds(2);
        Duration twoTicks = Duration.ofSeconds(1);
        for (int trial = 0; trial < Tier.count(2, 8); trial++) {
            try (FaultProxy proxy = FaultProxy.before(SERVER.server().port());
                    Probe silent = Probe.connect("zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=2s")) {
                Probe.Holder holder = silent.holder(lock);
                Probe.Holder waiter = other.holder(lock);
                Grant grant = holder.granted();
                assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
                long silence = System.nanoTime()
                        + timeout.dividedBy(4).multipliedBy(trial % 4).toNanos();
                long deadline = 0;
                while (deadline == 0 || System.nanoTime() - silence < 0) {
                    long sentAt = System.nanoTime();
                    Renewal renewal = silent.renew(List.of(grant)).get(0);
                    deadline = sentAt + ((Renewal.Renewed) renewal).validity().toNanos();
                }
                proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
                silence = System.nanoTime();

                waiter.waited();

                long succeeded = System.nanoTime();
                assertThat(succeeded - deadline).as("grace after the deadline").isPositive();
                assertThat(Duration.ofNanos(succeeded - silence))
                        .isLessThan(timeout.plus(twoTicks).plusMillis(500));
                waiter.release();
            }
        }
    }
}
