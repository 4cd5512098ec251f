package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionClock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

/** The connection of a client that may keep a lock breaks, and comes back: requests of others in between recall the lock. */
@InTier(Tier.STANDARD)
class RecallAfterReconnectionTest extends ProxiedClientFixture {

    @Test
    void a_waiter_that_came_while_the_connection_was_down_recalls_when_it_is_back() throws Exception {
        Probe.Holder holder = probe.keeper(lock);
        Grant grant = holder.recallable();
        proxy.refuse();
        proxy.cut(ConnectionEnd.RST);
        holder.awaitSignal(Signal.SUSPECT);
        try (Probe other = Probe.connect("zookeeper://" + address())) {
            other.holder(lock).attempt();
            proxy.heal();

            holder.awaitSignal(Signal.WANTED);
            assertThat(holder.renewedPlainly(grant)).isInstanceOf(Renewal.Renewed.class);
        }
    }

    @Test
    void a_zero_wait_that_came_and_left_meanwhile_recalls_too() throws Exception {
        Probe.Holder holder = probe.keeper(lock);
        holder.recallable();
        proxy.refuse();
        proxy.cut(ConnectionEnd.RST);
        holder.awaitSignal(Signal.SUSPECT);
        try (Probe other = Probe.connect("zookeeper://" + address())) {
            other.trier(lock).attempt();
        }
        assertThat(SERVER.admin().children(lock)).hasSize(1);
        proxy.heal();

        holder.awaitSignal(Signal.WANTED);
    }

    @Test
    void a_reconnection_without_a_change_leaves_the_grant_recallable() throws Exception {
        Probe.Holder holder = probe.keeper(lock);
        Grant grant = holder.recallable();
        cut();
        holder.awaitSignal(Signal.RESTORED);
        assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
        assertThat(holder.toldWanted()).isFalse();
        holder.recallable();

        try (Probe other = Probe.connect("zookeeper://" + address())) {
            other.trier(lock).attempt();
            holder.awaitSignal(Signal.WANTED);
        }
    }

    /** The answer to the creation is lost: the listing that finds the node sets the watch. */
    @Test
    void a_grant_that_was_found_after_a_lost_answer_is_recallable() throws Exception {
        Probe.Holder holder = probe.keeper(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        var lost = holder.start();
        awaitNodes(1);
        cut();
        unknown(lost);

        holder.recallable();

        assertThat(SERVER.admin().children(lock)).hasSize(1);
        try (Probe other = Probe.connect("zookeeper://" + address())) {
            other.trier(lock).attempt();
            holder.awaitSignal(Signal.WANTED);
        }
    }

    @Test
    void a_client_library_that_sets_no_watch_again_hears_nothing() throws Exception {
        assertThat(hears(new ZKClientConfig())).isTrue();
        ZKClientConfig forgetful = new ZKClientConfig();
        forgetful.setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
        assertThat(hears(forgetful)).isFalse();
    }

    private static boolean hears(ZKClientConfig config) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        Watcher watcher = event -> connected.countDown();
        try (ZooKeeper handle = new ZooKeeper(address(), 10_000, watcher, config)) {
            assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
            return new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock()).hearsWatches();
        }
    }
}
