package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.TokenFloorNode;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** Grants that can be recalled, the requests that recall them, and the answers to those requests. */
@InTier(Tier.STANDARD)
class RecallTest extends TwoClientsFixture {

    // Which

    @Test
    void a_node_that_is_alone_is_recallable_and_named_as_one_that_is_kept() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();

        assertThat(SERVER.admin().children(lock))
                .singleElement()
                .asString()
                .matches("x-k-" + holder.claim.holder().value() + "-\\d{10}");
        assertThat(SERVER.admin().stat(lock, holder.node()).getCzxid()).isEqualTo(grant.token());
        assertThat(a.backend.capabilities().recalls()).isTrue();
    }

    @Test
    void a_claim_that_does_not_keep_has_a_plain_name_and_is_not_recallable() throws Exception {
        Probe.Holder holder = a.holder(lock);
        holder.plain();

        assertThat(SERVER.admin().children(lock)).singleElement().asString().startsWith("x-" + holder.claim.holder());
    }

    @Test
    void of_a_read_write_lock_nothing_is_kept() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        Attempt attempt = Probe.await(a.backend.acquire(writer.claim.withKeeps(true), writer.signals::add));

        assertThat(attempt)
                .isInstanceOfSatisfying(
                        Attempt.Granted.class,
                        granted -> assertThat(granted.recallable()).isFalse());
        assertThat(SERVER.admin().children(lock)).singleElement().asString().startsWith("s.");
    }

    @Test
    void the_same_holder_asking_again_is_as_recallable_as_before() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        assertThat(holder.recallable().token()).isEqualTo(holder.recallable().token());
        b.holder(lock).attempt();
        holder.awaitSignal(Signal.WANTED);

        holder.plain();
    }

    @Test
    void a_lock_that_was_waited_for_is_not_recallable() {
        Probe.Holder first = b.keeper(lock);
        first.granted();
        Probe.Holder holder = a.keeper(lock);
        assertThat(holder.attempt()).isInstanceOf(Attempt.Busy.class);
        first.release();
        holder.awaitSignal(Signal.MAYBE_FREE);

        holder.plain();
    }

    @Test
    void a_grant_that_took_a_listing_is_recallable_if_that_shows_nobody_behind() {
        List<Probe.Holder> before = twoWait();
        Probe.Holder holder = a.keeper(lock);
        holder.attempt();
        before.forEach(Probe.Holder::release);
        holder.awaitSignal(Signal.MAYBE_FREE);

        holder.recallable();

        b.trier(lock).attempt();
        holder.awaitSignal(Signal.WANTED);
    }

    @Test
    void a_grant_that_leaves_others_behind_is_not_recallable() {
        List<Probe.Holder> before = twoWait();
        Probe.Holder holder = a.keeper(lock);
        holder.attempt();
        b.holder(lock).attempt();
        before.forEach(Probe.Holder::release);
        holder.awaitSignal(Signal.MAYBE_FREE);

        holder.plain();
    }

    @Test
    void a_grant_that_is_older_than_a_floor_is_not_recallable() throws Exception {
        List<Probe.Holder> before = twoWait();
        Probe.Holder holder = a.keeper(lock);
        holder.attempt();
        floor(7);
        before.forEach(Probe.Holder::release);
        holder.awaitSignal(Signal.MAYBE_FREE);

        holder.plain();

        holder.release();
        a.keeper(lock).recallable();
        removeFloors();
    }

    /** A holder and a waiter, so that the next client has to list once they are gone. */
    private List<Probe.Holder> twoWait() {
        Probe.Holder first = b.holder(lock);
        first.granted();
        Probe.Holder second = b.holder(lock);
        second.attempt();
        return List.of(first, second);
    }

    @Test
    void a_transfer_to_a_claim_that_keeps_is_recallable_if_nobody_waits() throws Exception {
        Probe.Holder first = a.keeper(lock);
        Grant grant = first.recallable();
        Probe.Holder second = a.keeper(lock);
        assertThat(Probe.await(second.transferFrom(grant).attempt()))
                .isInstanceOfSatisfying(
                        Attempt.Granted.class,
                        granted -> assertThat(granted.recallable()).isTrue());

        b.holder(lock).attempt();
        second.awaitSignal(Signal.WANTED);
        assertThat(first.signals).as("the holder that was replaced").isEmpty();
    }

    // Who recalls

    @Test
    void a_waiter_recalls() {
        Probe.Holder holder = a.keeper(lock);
        holder.recallable();

        Attempt attempt = b.holder(lock).attempt();

        holder.awaitSignal(Signal.WANTED);
        assertThat(attempt)
                .as("of a waiter, whose turn comes by a signal")
                .isInstanceOfSatisfying(
                        Attempt.Busy.class, busy -> assertThat(busy.recalled()).isFalse());
    }

    @Test
    void a_zero_wait_recalls_and_is_told_to_ask_again_at_once() {
        Probe.Holder holder = a.keeper(lock);
        holder.recallable();
        Probe.Holder trier = b.trier(lock);

        assertThat(trier.attempt()).isEqualTo(new Attempt.Busy(Duration.ofMillis(1), true));

        holder.awaitSignal(Signal.WANTED);
        holder.release();
        trier.granted();
    }

    @Test
    void a_zero_wait_that_keeps_itself_asks_under_the_same_id_until_it_has_the_lock() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        holder.recallable();
        Probe.Holder trier = b.keeper(lock, false);
        // In the callback: the next try is sent as soon as the answer is there.
        Attempt again = Probe.await(trier.start().thenCompose(refused -> trier.start()));
        assertThat(again).isEqualTo(new Attempt.Busy(Duration.ofMillis(1), true));
        assertThat(SERVER.admin().children(lock)).containsExactly(holder.node());

        holder.release();

        trier.recallable();
    }

    @Test
    void a_zero_wait_behind_others_that_keep_or_try_is_recalled_and_behind_any_other_is_not() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        holder.recallable();
        anotherTry();
        assertThat(b.trier(lock).attempt()).isEqualTo(new Attempt.Busy(Duration.ofMillis(1), true));

        Probe.Holder waiter = a.holder(lock);
        waiter.attempt();
        assertNotRecalled(b.trier(lock).attempt());

        anotherTry();
        assertNotRecalled(b.trier(lock).attempt());
        deleteAll();
    }

    private static void assertNotRecalled(Attempt attempt) {
        assertThat(attempt)
                .isInstanceOfSatisfying(
                        Attempt.Busy.class, busy -> assertThat(busy.recalled()).isFalse());
    }

    private void anotherTry() throws Exception {
        SERVER.admin()
                .client
                .create(
                        ServerAdmin.folder(lock) + "/x-k-another-try-",
                        new byte[0],
                        ZooDefs.Ids.OPEN_ACL_UNSAFE,
                        CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    @Test
    void another_kind_of_lock_recalls() {
        Probe.Holder holder = a.keeper(lock);
        holder.recallable();

        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> b.trier(lock, Share.READ).attempt())
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.OTHER_KIND));

        holder.awaitSignal(Signal.WANTED);
    }

    @Test
    void an_administrator_that_deletes_the_node_recalls_too() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();

        SERVER.admin().delete(lock, holder.node());

        holder.awaitSignal(Signal.WANTED);
        assertThat(holder.renewedPlainly(grant)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void nobody_recalls_what_one_client_uses_alone() throws Exception {
        for (int i = 0; i < 20; i++) {
            Probe.Holder holder = a.keeper(lock);
            holder.recallable();
            holder.release();
            Probe.Holder next = a.keeper(lock);
            Grant grant = next.recallable();
            assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
            Probe.await(a.keeper(lock).transferFrom(grant).attempt());
            assertThat(holder.signals).isEmpty();
            assertThat(next.signals).isEmpty();
            deleteAll();
        }
    }

    @Test
    void a_client_keeps_for_a_third_of_its_session_at_most() {
        assertThat(a.backend.capabilities().longestKeep()).contains(Duration.ofSeconds(1));
    }

    private void floor(int offset) throws Exception {
        SERVER.admin()
                .client
                .create(
                        ServerAdmin.folder(lock) + "/" + TokenFloorNode.prefix(offset),
                        new byte[0],
                        ZooDefs.Ids.OPEN_ACL_UNSAFE,
                        CreateMode.PERSISTENT_SEQUENTIAL);
    }

    private void removeFloors() throws Exception {
        for (String child : SERVER.admin().children(lock)) {
            if (child.startsWith("floor-")) {
                SERVER.admin().delete(lock, child);
            }
        }
    }

    private void deleteAll() throws Exception {
        for (String child : SERVER.admin().children(lock)) {
            SERVER.admin().delete(lock, child);
        }
    }
}
