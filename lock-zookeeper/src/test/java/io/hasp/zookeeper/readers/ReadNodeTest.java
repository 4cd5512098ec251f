package io.hasp.zookeeper.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.Probe;
import io.hasp.zookeeper.SharedLocksFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Readers of one client share a node: who joins whom, and how they leave. */
@InTier(Tier.STANDARD)
class ReadNodeTest extends SharedLocksFixture {
    private static final int MANY = 20;

    private List<Probe.Holder> readers(Probe client, int count) {
        List<Probe.Holder> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            readers.add(client.holder(lock, Share.READ));
        }
        return readers;
    }

    private List<Probe.Holder> granted(Probe client, int count) {
        List<Probe.Holder> readers = readers(client, count);
        readers.forEach(Probe.Holder::granted);
        return readers;
    }

    private int nodes() throws Exception {
        return SERVER.admin().children(lock).size();
    }

    private static Grant grant(CompletionStage<Attempt> call) {
        assertThat(Probe.await(call)).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) Probe.await(call)).grant();
    }

    // Joining

    @Test
    void readers_of_one_client_share_a_node_its_token_and_a_listing() throws Exception {
        Probe.Holder first = a.holder(lock, Share.READ);
        long token = first.granted().token();
        long packets = SERVER.admin().packets();

        List<Probe.Holder> readers = readers(a, MANY);
        List<CompletionStage<Attempt>> calls =
                readers.stream().map(Probe.Holder::start).toList();
        calls.forEach(call -> assertThat(grant(call).token()).isEqualTo(token));

        assertThat(nodes()).isEqualTo(1);
        assertThat(SERVER.admin().packets() - packets)
                .as("two at most for each, fewer where they come together")
                .isLessThan(MANY);
    }

    @Test
    void readers_of_two_clients_have_a_node_each() throws Exception {
        granted(a, 3);
        granted(b, 3);

        assertThat(nodes()).isEqualTo(2);
    }

    @Test
    void a_reader_that_comes_while_the_node_is_made_joins_afterwards() throws Exception {
        List<CompletionStage<Attempt>> calls =
                readers(a, MANY).stream().map(Probe.Holder::start).toList();

        calls.forEach(call -> assertThat(grant(call).token()).isPositive());
        assertThat(nodes()).isEqualTo(1);
    }

    @Test
    void rw3_a_reader_does_not_join_those_before_a_queued_writer() throws Exception {
        Probe.Holder before = a.holder(lock, Share.READ);
        long token = before.granted().token();
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        busy(writer);

        List<Probe.Holder> later = readers(a, 3);
        later.forEach(SharedLocksFixture::busy);
        assertThat(nodes()).as("the later ones share a place").isEqualTo(3);

        before.release();
        long written = writer.waited().token();
        later.forEach(reader -> assertThat(reader.signals).as("woken early").isEmpty());
        writer.release();
        assertThat(written).isGreaterThan(token);
        later.forEach(reader -> assertThat(reader.waited().token()).isGreaterThan(written));
    }

    @Test
    void a_reader_joins_again_when_the_writer_is_gone() throws Exception {
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        writer.granted();
        Probe.Holder waiting = a.holder(lock, Share.READ);
        busy(waiting);
        writer.release();
        long token = waiting.waited().token();

        assertThat(a.holder(lock, Share.READ).granted().token()).isEqualTo(token);
        assertThat(nodes()).isEqualTo(1);
    }

    @Test
    void readers_that_wait_with_one_node_are_all_let_in() {
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        writer.granted();
        List<Probe.Holder> readers = readers(a, MANY);
        readers.forEach(SharedLocksFixture::busy);

        writer.release();

        readers.forEach(reader -> assertThat(reader.waited().token()).isPositive());
    }

    @Test
    void fe7_a_reader_does_not_join_those_before_a_raised_token_floor() {
        long token = a.holder(lock, Share.READ).granted().token();
        long floor = token + 1_000_000;
        Probe.await(a.backend.tokenFloor().orElseThrow().raise(new LockName(lock), floor));

        assertThat(a.holder(lock, Share.READ).granted().token()).isGreaterThan(floor);
    }

    /** Such a floor needs no offset: the next node's token is above it. */
    @Test
    void fe7_a_reader_does_not_join_those_below_a_floor_that_every_new_node_is_above() throws Exception {
        long token = a.holder(lock, Share.READ).granted().token();
        for (int i = 0; i < 3; i++) {
            granted(b, 1).forEach(Probe.Holder::release);
        }
        LockName name = new LockName(lock);

        Probe.await(a.backend.tokenFloor().orElseThrow().raise(name, token + 1));
        Probe.await(b.backend.tokenFloor().orElseThrow().raise(name, token + 1));

        assertThat(a.holder(lock, Share.READ).granted().token()).isGreaterThan(token + 1);
        assertThat(SERVER.admin().children(lock)).as("two readers and a floor").hasSize(3);
    }

    @Test
    void fe7_nobody_joins_below_such_a_floor_when_the_writer_behind_is_gone() {
        long token = a.holder(lock, Share.READ).granted().token();
        granted(b, 3).forEach(Probe.Holder::release);
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        busy(writer);

        Probe.await(a.backend.tokenFloor().orElseThrow().raise(new LockName(lock), token + 1));
        writer.release();

        assertThat(a.holder(lock, Share.READ).granted().token()).isGreaterThan(token + 1);
    }

    // Single tries

    @Test
    void a_single_try_joins_those_who_read() throws Exception {
        long token = a.holder(lock, Share.READ).granted().token();

        assertThat(a.trier(lock, Share.READ).granted().token()).isEqualTo(token);
        assertThat(nodes()).isEqualTo(1);
    }

    @Test
    void a_single_try_behind_a_writer_is_refused_and_leaves_nothing() throws Exception {
        a.holder(lock, Share.READ).granted();
        busy(b.holder(lock, Share.WRITE));

        busy(a.trier(lock, Share.READ));
        busy(a.trier(lock, Share.READ));

        assertThat(nodes()).isEqualTo(2);
    }

    // Leaving

    @Test
    void who_leaves_costs_nothing_and_the_last_one_removes_the_node() throws Exception {
        List<Probe.Holder> readers = granted(a, MANY);
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        busy(writer);
        watches(2);
        long packets = SERVER.admin().packets();

        for (int i = 0; i < MANY - 1; i++) {
            assertThat(readers.get(i).release()).isEqualTo(Released.RELEASED);
            assertThat(readers.get(i).release()).as("again").isEqualTo(Released.NOT_HELD);
        }
        assertThat(SERVER.admin().packets() - packets).as("heartbeats").isLessThan(MANY / 2);
        assertThat(writer.signals).isEmpty();

        assertThat(readers.get(MANY - 1).release()).isEqualTo(Released.RELEASED);
        assertThat(writer.waited().token()).isPositive();
    }

    @Test
    void those_who_stay_are_renewed_and_who_left_is_lost() {
        Probe.Holder first = a.holder(lock, Share.READ);
        Grant left = first.granted();
        Grant stays = a.holder(lock, Share.READ).granted();
        first.release();

        List<Renewal> renewals = a.renew(List.of(left, stays));

        assertThat(renewals.get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(renewals.get(1)).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void a_waiter_that_gives_up_takes_no_other_with_it() {
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        writer.granted();
        List<Probe.Holder> readers = readers(a, 3);
        readers.forEach(SharedLocksFixture::busy);

        assertThat(readers.get(0).release()).isEqualTo(Released.NOT_HELD);
        assertThat(readers.get(0).attempt()).as("withdrawn").isInstanceOf(Attempt.Gone.class);
        writer.release();

        assertThat(readers.get(1).waited().token()).isPositive();
        assertThat(readers.get(2).waited().token()).isPositive();
    }

    @Test
    void calls_that_are_withdrawn_before_their_answers_leave_nothing() throws Exception {
        Probe.Holder first = a.holder(lock, Share.READ);
        first.granted();
        List<Probe.Holder> readers = readers(a, MANY);
        List<CompletionStage<Attempt>> calls =
                readers.stream().map(Probe.Holder::start).toList();
        readers.forEach(Probe.Holder::release);
        calls.forEach(Probe::await);

        assertThat(first.release()).isEqualTo(Released.RELEASED);

        assertThat(nodes()).isZero();
    }

    // Losing

    @Test
    void le6_all_readers_of_a_node_that_an_administrator_deletes_are_told() throws Exception {
        List<Grant> grants = new ArrayList<>();
        List<Probe.Holder> readers = readers(a, 3);
        readers.forEach(reader -> grants.add(reader.granted()));
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        readers.forEach(reader -> reader.awaitSignal(Signal.LOST));
        a.renew(grants).forEach(renewal -> assertThat(renewal).isInstanceOf(Renewal.Lost.class));
        readers.forEach(reader -> assertThat(reader.release()).isEqualTo(Released.NOT_HELD));
        assertThat(a.holder(lock, Share.READ).granted().token())
                .isGreaterThan(grants.get(0).token());
    }

    @Test
    void le6_a_reader_does_not_join_a_node_that_is_gone() throws Exception {
        long token = a.holder(lock, Share.READ).granted().token();
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        assertThat(a.holder(lock, Share.READ).granted().token()).isGreaterThan(token);
    }
}
