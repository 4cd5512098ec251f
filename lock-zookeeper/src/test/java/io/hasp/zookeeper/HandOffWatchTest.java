package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;

/**
 * Clients that contend for a lock watch its folder, and know the queue by the events. Each way in which that knowledge could be wrong ends in
 * a listing. The requests are counted at the server.
 */
@InTier(Tier.STANDARD)
class HandOffWatchTest extends TwoClientsFixture {
    private static final int ROUNDS = 50;
    private static final int FOLDERS = 2;

    /** No beat comes during a test: it would watch the clients' own nodes. */
    @Override
    String sessionTimeout() {
        return "60s";
    }

    /** The clients take turns until both know the queue by events. */
    private void contend() throws Exception {
        Probe.Holder last = handOffs(a.holder(lock), 10);
        last.release();
        assertThat(SERVER.admin().watches()).isEqualTo(FOLDERS);
    }

    /** Hands the lock from client to client; the last holder has it. */
    private Probe.Holder handOffs(Probe.Holder first, int count) {
        Probe.Holder holder = first;
        long token = holder.granted().token();
        for (int i = 0; i < count; i++) {
            Probe.Holder next = (i % 2 == 0 ? b : a).holder(lock);
            SharedLocksFixture.busy(next);
            holder.release();
            Grant grant = next.waited();
            assertThat(grant.token()).isGreaterThan(token);
            token = grant.token();
            holder = next;
        }
        return holder;
    }

    private Probe.Holder held(Probe client) {
        Probe.Holder holder = client.holder(lock);
        holder.granted();
        return holder;
    }

    private Probe.Holder waiting(Probe client) {
        Probe.Holder holder = client.holder(lock);
        SharedLocksFixture.busy(holder);
        return holder;
    }

    private String createForeign(String prefix, List<ACL> acl) throws Exception {
        return SERVER.admin()
                .client
                .create(ServerAdmin.folder(lock) + "/" + prefix, new byte[0], acl, CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    // What it saves

    @Test
    void a_contended_acquisition_costs_two_requests() throws Exception {
        contend();
        long packets = SERVER.admin().packets();

        Probe.Holder last = handOffs(a.holder(lock), ROUNDS);

        assertThat(SERVER.admin().packets() - packets)
                .as("a creation and a deletion each")
                .isBetween(2L * ROUNDS, 2L * ROUNDS + ROUNDS / 4);
        last.release();
    }

    @Test
    void a_free_lock_costs_two_requests_whoever_had_it_before() throws Exception {
        contend();
        long packets = SERVER.admin().packets();

        for (int i = 0; i < ROUNDS; i++) {
            held(i % 2 == 0 ? a : b).release();
        }

        assertThat(SERVER.admin().packets() - packets).isBetween(2L * ROUNDS, 2L * ROUNDS + ROUNDS / 4);
    }

    @Test
    void a_single_wait_sets_no_watch_on_the_folder() throws Exception {
        Probe.Holder first = held(a);
        Probe.Holder second = waiting(b);
        first.release();
        second.waited();
        second.release();

        assertThat(SERVER.admin().watches()).isZero();
    }

    // Order

    @Test
    void waiters_get_the_lock_in_their_order() throws Exception {
        contend();
        List<Probe.Holder> line = new ArrayList<>(List.of(held(a)));
        for (int i = 0; i < 5; i++) {
            line.add(waiting(i % 2 == 0 ? b : a));
        }

        for (int i = 0; i < 5; i++) {
            assertThat(line.get(i + 1).signals).as("woken early").isEmpty();
            line.get(i).release();
            assertThat(line.get(i + 1).waited().token()).isPositive();
        }
        line.get(5).release();
    }

    @Test
    void a_waiter_whose_predecessor_leaves_waits_for_the_one_before() throws Exception {
        contend();
        Probe.Holder first = held(a);
        Probe.Holder second = waiting(a);
        Probe.Holder third = waiting(b);

        second.release();
        SharedLocksFixture.busy(third);
        first.release();

        assertThat(third.waited().token()).isPositive();
        third.release();
    }

    @Test
    void a_single_try_behind_a_holder_is_busy() throws Exception {
        contend();
        Probe.Holder holder = held(a);

        SharedLocksFixture.busy(b.trier(lock, Share.EXCLUSIVE));

        assertThat(SERVER.admin().children(lock)).hasSize(1);
        holder.release();
        assertThat(b.trier(lock, Share.EXCLUSIVE).granted().token()).isPositive();
    }

    // What only a listing shows

    @Test
    void le6_a_waiter_whose_node_an_administrator_deletes_is_not_granted() throws Exception {
        contend();
        Probe.Holder holder = held(a);
        Probe.Holder waiter = waiting(b);

        SERVER.admin().delete(lock, waiter.node());

        waiter.awaitSignal(Signal.MAYBE_FREE);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Gone.class);
        holder.release();
    }

    @Test
    void le6_a_waiter_whose_node_an_administrator_deletes_after_its_signal_is_not_granted() throws Exception {
        contend();
        Probe.Holder holder = held(a);
        Probe.Holder waiter = waiting(b);
        holder.release();
        waiter.awaitSignal(Signal.MAYBE_FREE);

        SERVER.admin().delete(lock, waiter.node());

        Probe.Holder next = held(a);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Gone.class);
        next.release();
    }

    @Test
    void me2_a_node_that_the_client_may_not_read_keeps_it_out() throws Exception {
        contend();
        String denied = createForeign(
                "x-denied-", new ArrayList<>(List.of(new ACL(ZooDefs.Perms.ALL, new Id("ip", "1.2.3.4")))));

        Probe.Holder waiter = waiting(a);
        Probe.Holder second = waiting(b);
        SERVER.admin().client.delete(denied, -1);

        assertThat(waiter.waited().token()).isPositive();
        waiter.release();
        assertThat(second.waited().token()).isPositive();
        second.release();
        Probe.Holder last = handOffs(a.holder(lock), 6);
        last.release();
    }

    @Test
    void foreign_nodes_are_ignored() throws Exception {
        contend();
        String foreign = createForeign("foreign-", ZooDefs.Ids.OPEN_ACL_UNSAFE);
        SERVER.admin().create(lock, "foreign");
        Probe.Holder last = handOffs(a.holder(lock), 4);
        SERVER.admin().client.delete(foreign, -1);
        SERVER.admin().delete(lock, "foreign");
        last = handOffs(next(last), 4);
        last.release();
    }

    private Probe.Holder next(Probe.Holder last) {
        last.release();
        return a.holder(lock);
    }

    @Test
    void me2_a_folder_that_was_removed_and_recreated_counts_anew() throws Exception {
        contend();
        for (int i = 0; i < 3; i++) {
            SERVER.admin().client.delete(ServerAdmin.folder(lock), -1);
            Probe.Holder first = held(i % 2 == 0 ? a : b);
            Probe.Holder second = waiting(i % 2 == 0 ? b : a);
            Probe.Holder third = waiting(a);
            assertThat(second.signals).isEmpty();
            first.release();
            second.waited();
            assertThat(third.signals).isEmpty();
            second.release();
            third.waited();
            third.release();
        }
    }

    @Test
    void tk1_a_token_floor_is_seen() throws Exception {
        contend();
        Grant before = a.holder(lock).granted();
        a.backend.release(before.claim());
        Probe.await(b.backend.tokenFloor().orElseThrow().raise(new LockName(lock), before.token() + 1_000_000));

        Probe.Holder last = a.holder(lock);
        assertThat(last.granted().token()).isGreaterThan(before.token() + 1_000_000);
        last.release();
        last = handOffs(a.holder(lock), 6);
        assertThat(last.granted().token()).isGreaterThan(before.token() + 1_000_000);
        last.release();
    }

    // Many waiters

    @Test
    void behind_a_crowd_a_waiter_watches_its_predecessor_as_before() throws Exception {
        contend();
        List<Probe.Holder> line = new ArrayList<>(List.of(held(a)));
        for (int i = 0; i < 20; i++) {
            line.add(waiting(i % 2 == 0 ? b : a));
        }

        for (int i = 0; i < 20; i++) {
            assertThat(line.get(i + 1).signals).as("woken early").isEmpty();
            line.get(i).release();
            assertThat(line.get(i + 1).waited().token()).isPositive();
        }
        line.get(20).release();
        Probe.Holder last = handOffs(a.holder(lock), 10);
        last.release();
        assertThat(SERVER.admin().watches()).isEqualTo(FOLDERS);
    }

    @Test
    void a_crowded_folder_is_not_watched() throws Exception {
        contend();
        List<Probe.Holder> line = new ArrayList<>(List.of(held(a)));
        for (int i = 0; i < 30; i++) {
            line.add(waiting(i % 2 == 0 ? b : a));
        }
        for (int i = 0; i < 16; i++) {
            line.get(i).release();
            line.get(i + 1).waited();
        }
        line.add(waiting(a));
        line.add(waiting(b));

        await().untilAsserted(() -> assertThat(SERVER.server().ask("wchp"))
                .doesNotContainPattern("(?m)^" + ServerAdmin.folder(lock) + "$"));
        for (int i = 16; i < line.size() - 1; i++) {
            line.get(i).release();
            line.get(i + 1).waited();
        }
        line.get(line.size() - 1).release();
    }

    // The end of the watch

    @Test
    void a_watch_that_is_not_used_is_removed() throws Exception {
        contend();

        await().atMost(Duration.ofSeconds(40)).until(() -> SERVER.admin().watches() == 0);

        Probe.Holder last = handOffs(a.holder(lock), 4);
        last.release();
    }

    // Others

    @Test
    void writers_and_permits_are_not_known_by_events() throws Exception {
        for (int i = 0; i < 6; i++) {
            Probe.Holder first = a.holder(lock, Share.WRITE);
            first.granted();
            Probe.Holder second = b.holder(lock, Share.WRITE);
            SharedLocksFixture.busy(second);
            first.release();
            second.waited();
            second.release();
        }

        assertThat(SERVER.server().ask("wchp")).doesNotContainPattern("(?m)^" + ServerAdmin.folder(lock) + "$");
    }

    @Test
    void a_waiter_behind_a_client_that_may_keep_the_lock_recalls_it() throws Exception {
        contend();
        Probe.Holder keeper = a.keeper(lock);
        keeper.recallable();

        Probe.Holder waiter = waiting(b);

        keeper.awaitSignal(Signal.WANTED);
        keeper.release();
        assertThat(waiter.waited().token()).isPositive();
        waiter.release();
    }
}
