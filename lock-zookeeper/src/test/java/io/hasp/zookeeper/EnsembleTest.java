package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three servers, one of which fails. */
@InTier(Tier.STANDARD)
class EnsembleTest {
    private static final String LOCK = "ensemble";

    private ZooKeeperEnsemble ensemble;
    private Probe a;
    private Probe b;

    @BeforeEach
    void open() {
        ensemble = ZooKeeperEnsemble.start();
        a = Probe.connect("zookeeper://" + ensemble.connectString() + "?sessionTimeout=10s");
        b = Probe.connect("zookeeper://" + ensemble.connectString() + "?sessionTimeout=10s");
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        ensemble.close();
    }

    /** Attempts until the servers answer again. */
    private static Attempt answer(Probe.Holder holder) {
        return await().atMost(Duration.ofSeconds(40))
                .ignoreException(BackendFailure.class)
                .until(holder::attempt, attempt -> true);
    }

    /** Renews a grant until this client is connected again too. */
    private static Renewal onWatchSignal(Probe client, Grant grant) {
        return await().atMost(Duration.ofSeconds(40))
                .ignoreException(BackendFailure.class)
                .until(() -> client.renew(List.of(grant)).get(0), renewal -> !(renewal instanceof Renewal.Unknown));
    }

    @Test
    void zk5_a_killed_leader_takes_no_lock_with_it() {
        Probe.Holder holder = a.holder(LOCK);
        Probe.Holder waiter = b.holder(LOCK);
        Grant grant = holder.granted();
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);

        ensemble.leader().kill();

        Attempt again = answer(waiter);
        assertThat(again).isInstanceOf(Attempt.Busy.class);
        assertThat(answer(holder)).isInstanceOf(Attempt.Granted.class);
        assertThat(onWatchSignal(a, grant)).isInstanceOf(Renewal.Renewed.class);
        assertThat(holder.release()).isEqualTo(Released.RELEASED);
        assertThat(waiter.waited().token()).isGreaterThan(grant.token());
    }

    @Test
    void zk5_a_stopped_leader_is_waited_for_or_replaced_and_never_makes_two_holders() {
        Probe.Holder holder = a.holder(LOCK);
        Grant grant = holder.granted();
        ZooKeeperServer leader = ensemble.leader();

        leader.pause();

        Probe.Holder waiter = b.holder(LOCK);
        Attempt attempt = answer(waiter);
        if (attempt instanceof Attempt.Granted) {
            assertThat(onWatchSignal(a, grant)).isInstanceOf(Renewal.Lost.class);
        } else {
            assertThat(answer(holder)).isInstanceOf(Attempt.Granted.class);
        }
        leader.resume();
        holder.release();
        assertThat(waiter.waited().token()).isGreaterThan(grant.token());
    }

    /** The clients know the queue by events, see {@code HandOffWatchTest}, and their sessions move from server to server. */
    @Test
    void me2_sessions_that_move_lose_no_turn_and_grant_none_twice() {
        List<ZooKeeperServer> servers = ensemble.servers();
        Probe.Holder holder = a.holder(LOCK);
        long token = holder.granted().token();
        for (int turn = 0; turn < 24; turn++) {
            Probe.Holder next = (turn % 2 == 0 ? b : a).holder(LOCK);
            assertThat(answer(next)).isInstanceOf(Attempt.Busy.class);
            if (turn % 6 == 5) {
                servers.get(turn / 6 % servers.size()).kill();
            } else if (turn % 6 == 2 && turn > 6) {
                servers.get((turn / 6 - 1) % servers.size()).restart();
            }
            releaseOnceConnected(holder);
            long later = next.waited().token();
            assertThat(later).isGreaterThan(token);
            token = later;
            holder = next;
        }
        releaseOnceConnected(holder);
    }

    private static void releaseOnceConnected(Probe.Holder holder) {
        await().atMost(Duration.ofSeconds(40))
                .ignoreException(BackendFailure.class)
                .until(holder::release, released -> true);
    }

    @Test
    void fa4_without_a_quorum_there_is_a_failure_and_never_a_grant() {
        Probe.Holder holder = a.holder(LOCK);
        Grant grant = holder.granted();
        ensemble.servers().get(0).kill();
        ensemble.servers().get(1).kill();

        for (int i = 0; i < 10; i++) {
            assertFails(b.holder(LOCK));
        }

        ensemble.servers().get(0).restart();
        Probe.Holder next = b.holder(LOCK);
        Attempt attempt = answer(next);
        if (attempt instanceof Attempt.Busy) {
            assertThat(onWatchSignal(a, grant)).isInstanceOf(Renewal.Renewed.class);
        }
    }

    /** The leader answers a {@code sync} until it steps down, five seconds after its followers fell silent here. */
    @Test
    void fa4_a_leader_whose_followers_stand_still_confirms_no_lock() throws Exception {
        ZooKeeperServer leader = ensemble.leader();
        try (Probe client =
                Probe.connect("zookeeper://" + leader.connectString() + "?sessionTimeout=4s&commandTimeout=2s")) {
            Probe.Holder holder = client.holder(LOCK);
            Grant grant = holder.granted();
            Thread.sleep(1_500);
            assertThat(client.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
            ensemble.servers().stream().filter(server -> server != leader).forEach(ZooKeeperServer::pause);
            long stopped = System.nanoTime();

            while (System.nanoTime() - stopped < Duration.ofSeconds(4).toNanos()) {
                long started = System.nanoTime();
                if (renewal(client, grant) instanceof Renewal.Renewed renewed) {
                    assertThat(started + renewed.validity().toNanos() - stopped)
                            .as("nanoseconds after the followers stopped")
                            .isLessThan(Duration.ofSeconds(4).toNanos());
                }
                Thread.sleep(50);
            }

            ensemble.servers().stream().filter(server -> server != leader).forEach(ZooKeeperServer::resume);
        }
    }

    private static Renewal renewal(Probe client, Grant grant) {
        try {
            return client.renew(List.of(grant)).get(0);
        } catch (BackendFailure failure) {
            return new Renewal.Unknown(failure);
        }
    }

    private static void assertFails(Probe.Holder holder) {
        try {
            throw new AssertionError(holder.attempt());
        } catch (BackendFailure failure) {
            assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE);
        }
    }
}
