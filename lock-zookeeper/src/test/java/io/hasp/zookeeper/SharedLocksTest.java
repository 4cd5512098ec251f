package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holders that share a lock, their order, and the end of holders and waiters. */
@InTier(Tier.STANDARD)
class SharedLocksTest extends SharedLocksFixture {
    /** No beat comes during a test: it would watch the clients' own nodes. */
    @Override
    String sessionTimeout() {
        return "60s";
    }

    private static final int OWN = 1;

    // Who holds

    @Test
    void readers_hold_together_each_with_the_token_of_its_node() throws Exception {
        long first = a.holder(lock, Share.READ).granted().token();
        long second = b.holder(lock, Share.READ).granted().token();

        assertThat(second).isGreaterThan(first);
        assertThat(SERVER.admin().children(lock)).hasSize(2);
        for (String child : SERVER.admin().children(lock)) {
            assertThat(SERVER.admin().stat(lock, child).getCzxid()).isIn(first, second);
        }
    }

    @Test
    void a_writer_holds_alone() {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        writer.granted();

        assertThat(b.trier(lock, Share.READ).attempt()).isInstanceOf(Attempt.Busy.class);
        assertThat(a.trier(lock, Share.WRITE).attempt()).isInstanceOf(Attempt.Busy.class);
        assertThat(writer.release()).isEqualTo(Released.RELEASED);
        assertThat(b.holder(lock, Share.READ).granted().token()).isPositive();
    }

    @Test
    void a_reader_does_not_pass_a_waiting_writer() {
        Probe.Holder reader = a.holder(lock, Share.READ);
        long token = reader.granted().token();
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        busy(writer);

        busy(a.holder(lock, Share.READ));
        busy(b.trier(lock, Share.READ));

        reader.release();
        assertThat(writer.waited().token()).isGreaterThan(token);
    }

    @Test
    void permits_are_granted_up_to_their_number() {
        List<Probe.Holder> holders = holders(PERMITS);
        Probe.Holder waiter = b.holder(lock, PERMIT);
        busy(waiter);
        busy(a.trier(lock, PERMIT));

        holders.get(1).release();

        assertThat(waiter.waited().token()).isPositive();
        busy(b.trier(lock, PERMIT));
    }

    @Test
    void a_large_request_is_not_starved_by_small_ones() {
        List<Probe.Holder> holders = holders(PERMITS);
        Probe.Holder all = b.holder(lock, new Share(PERMITS, PERMITS));
        busy(all);
        holders.get(0).release();

        busy(a.trier(lock, PERMIT));

        holders.get(1).release();
        holders.get(2).release();
        assertThat(all.waited().token()).isPositive();
        busy(a.trier(lock, PERMIT));
    }

    @Test
    void a_writer_that_gives_up_lets_the_readers_behind_it_in_at_once() {
        a.holder(lock, Share.READ).granted();
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        busy(writer);
        List<Probe.Holder> readers = waiters(3, Share.READ);

        assertThat(writer.release()).isEqualTo(Released.NOT_HELD);

        readers.forEach(reader -> reader.awaitSignal(Signal.MAYBE_FREE));
        readers.forEach(reader -> assertThat(reader.granted().token()).isPositive());
    }

    // Ends

    @Test
    void li1_a_holder_whose_session_ends_lets_the_next_ones_in() {
        Probe crashing = open();
        crashing.holder(lock, Share.WRITE).granted();
        List<Probe.Holder> readers = waiters(3, Share.READ);

        crashing.close();

        readers.forEach(reader -> assertThat(reader.waited().token()).isPositive());
    }

    @Test
    void le6_a_waiter_whose_node_an_administrator_deletes_is_not_granted() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        writer.granted();
        Probe.Holder reader = b.holder(lock, Share.READ);
        busy(reader);
        watches(1 + OWN);

        SERVER.admin().delete(lock, node(reader));
        writer.release();

        reader.awaitSignal(Signal.MAYBE_FREE);
        assertThat(reader.attempt()).isInstanceOf(Attempt.Gone.class);
    }

    /** A write uses up the watch on the own node: the writer's deletion alone no longer proves anything. */
    @Test
    void le6_a_waiter_whose_node_is_deleted_without_a_watch_on_it_is_not_granted() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        writer.granted();
        Probe.Holder reader = b.holder(lock, Share.READ);
        busy(reader);
        watches(1 + OWN);
        String node = node(reader);
        SERVER.admin().write(lock, node, (byte) 1);
        watches(1);

        SERVER.admin().delete(lock, node);
        writer.release();

        reader.awaitSignal(Signal.MAYBE_FREE);
        assertThat(reader.attempt()).isInstanceOf(Attempt.Gone.class);
    }

    @Test
    void le6_a_holder_whose_node_an_administrator_deletes_is_told() throws Exception {
        List<Probe.Holder> holders = holders(PERMITS);

        SERVER.admin().delete(lock, node(holders.get(1)));

        holders.get(1).awaitSignal(Signal.LOST);
        assertThat(holders.get(0).signals).isEmpty();
        assertThat(b.holder(lock, PERMIT).granted().token()).isPositive();
    }

    @Test
    void a_write_to_a_node_disturbs_no_waiter() throws Exception {
        List<Probe.Holder> holders = holders(PERMITS);
        Probe.Holder waiter = b.holder(lock, PERMIT);
        busy(waiter);
        watches(PERMITS + OWN);
        for (String child : SERVER.admin().children(lock)) {
            SERVER.admin().write(lock, child, (byte) 1);
        }

        holders.get(0).release();

        assertThat(waiter.waited().token()).isPositive();
    }

    // Steps

    private String node(Probe.Holder holder) throws Exception {
        return SERVER.admin().children(lock).stream()
                .filter(child -> child.contains("-" + holder.claim.holder() + "-"))
                .findFirst()
                .orElseThrow();
    }
}
