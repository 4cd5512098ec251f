package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

/** Waiters and their watches: each is served in its turn and woken once. */
@InTier(Tier.STANDARD)
class WaitingTest extends TwoClientsFixture {
    /** No beat comes during a test: it would watch the clients' own nodes. */
    @Override
    String sessionTimeout() {
        return "60s";
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
    void li5_a_waiter_that_withdraws_lets_no_other_in_early_and_leaves_no_watch() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Probe.Holder middle = b.holder(lock);
        Probe.Holder last = a.holder(lock);
        holder.granted();
        middle.attempt();
        last.attempt();

        assertThat(middle.release()).isEqualTo(Released.NOT_HELD);

        await().untilAsserted(() -> assertThat(SERVER.admin().watches())
                .as("the last watches the holder and itself")
                .isEqualTo(2));
        assertThat(last.signals).as("woken for nothing").isEmpty();
        assertThat(last.attempt()).isInstanceOf(Attempt.Busy.class);
        last.release();
        await().untilAsserted(() -> assertThat(SERVER.admin().watches()).isZero());
        assertThat(SERVER.admin().children(lock)).hasSize(1);
        assertThat(holder.signals).isEmpty();
    }

    @Test
    void a_write_to_a_node_uses_up_its_watches_but_disturbs_no_waiter() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Probe.Holder waiter = b.holder(lock);
        holder.granted();
        waiter.attempt();
        await().untilAsserted(() -> assertThat(SERVER.admin().watches()).isEqualTo(2));
        for (String child : SERVER.admin().children(lock)) {
            SERVER.admin().write(lock, child, (byte) 1);
        }
        // An attempt that is sent before the news of the writes sets no watch.
        await().untilAsserted(() -> {
            assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
            assertThat(SERVER.admin().watches()).isEqualTo(2);
        });

        assertThat(holder.release()).isEqualTo(Released.RELEASED);

        assertThat(waiter.waited().token()).isPositive();
    }

    @Test
    void watches_that_another_client_of_the_same_session_removes_are_set_again() throws Exception {
        try (CuratorFramework shared = CuratorFrameworkFactory.builder()
                .connectString(address())
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

                await().untilAsserted(() -> assertThat(SERVER.admin().watches())
                        .as("the middle's on the holder and itself, and one for the end of the session")
                        .isEqualTo(3));
                assertThat(middle.attempt()).isInstanceOf(Attempt.Busy.class);
                holder.release();
                assertThat(middle.waited().token()).isPositive();
            }
        }
    }
}
