package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.EarlierNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The watches of a waiter for a share, the waiters that wake, and the server's costs. */
@InTier(Tier.STANDARD)
class SharedWatchesTest extends SharedLocksFixture {
    private static final int OWN = 1;
    private static final Share ALL = new Share(20, 20);
    private static final Share ONE = new Share(1, 20);

    /** No beat comes during a test: it would watch the clients' own nodes. */
    @Override
    String sessionTimeout() {
        return "60s";
    }

    @Test
    void a_writer_watches_the_node_before_it_and_is_not_woken_by_the_others() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        writer.granted();
        Probe.Holder second = b.holder(lock, Share.WRITE);
        busy(second);
        Probe.Holder third = b.holder(lock, Share.WRITE);
        busy(third);
        // A writer's deletion may be its becoming a reader: it never entitles a writer, whose own node needs no watch.
        watches(2);

        writer.release();

        assertThat(second.waited().token()).isPositive();
        assertThat(third.signals).isEmpty();
        watches(1);
    }

    @Test
    void readers_watch_the_last_writer_before_them() throws Exception {
        Probe.Holder reader = a.holder(lock, Share.READ);
        reader.granted();
        Probe.Holder first = a.holder(lock, Share.WRITE);
        busy(first);
        Probe.Holder last = a.holder(lock, Share.WRITE);
        busy(last);
        // The first one's watch on its own node is also the last one's.
        watches(1 + OWN);
        List<Probe.Holder> readers = waiters(5, Share.READ);
        watches(1 + OWN + 1);

        reader.release();
        assertThat(first.waited().token()).isPositive();
        first.release();
        assertThat(last.waited().token()).isPositive();
        readers.forEach(waiting -> assertThat(waiting.signals).as("woken early").isEmpty());

        last.release();
        readers.forEach(waiting -> assertThat(waiting.waited().token()).isPositive());
    }

    @Test
    void a_waiter_for_one_permit_watches_as_many_nodes_as_there_are_permits_and_wakes_when_any_leaves()
            throws Exception {
        for (int leaving = 0; leaving < PERMITS; leaving++) {
            List<Probe.Holder> holders = holders(PERMITS);
            Probe.Holder waiter = b.holder(lock, PERMIT);
            busy(waiter);
            watches(PERMITS + OWN);
            Probe.Holder next = b.holder(lock, PERMIT);
            busy(next);

            holders.remove(leaving).release();

            waiter.awaitSignal(Signal.MAYBE_FREE);
            assertThat(waiter.granted().token()).isPositive();
            assertThat(next.signals).as("one permit wakes one waiter").isEmpty();
            holders.forEach(Probe.Holder::release);
            waiter.release();
            next.release();
            watches(0);
        }
    }

    @Test
    void beyond_256_watches_a_waiter_polls_every_second() throws Exception {
        Share permit = new Share(1, 260);
        List<Probe.Holder> holders = new ArrayList<>();
        for (int i = 0; i < 260; i++) {
            holders.add(a.holder(lock, permit));
            holders.get(i).granted();
        }
        Probe.Holder waiter = b.holder(lock, permit);

        assertThat(waiter.attempt()).isEqualTo(new Attempt.Busy(Duration.ofSeconds(1)));
        watches(EarlierNodes.MOST_WATCHED + OWN);
        holders.get(0).release();
        assertThat(waiter.granted().token()).as("the oldest is not watched").isPositive();
    }

    @Test
    void waiters_of_one_session_ask_once_for_a_watch_and_each_is_woken() throws Exception {
        Probe.Holder holder = a.holder(lock, ALL);
        holder.granted();
        List<Probe.Holder> first = waiters(1, ONE);
        watches(1 + OWN);
        long packets = SERVER.admin().packets();

        List<Probe.Holder> waiters = waiters(19, ONE);

        assertThat(SERVER.admin().packets() - packets)
                .as("a creation and a listing each")
                .isLessThan(19 * 2 + 15);
        watches(1 + OWN);
        holder.release();
        waiters.forEach(waiter -> assertThat(waiter.waited().token()).isPositive());
        assertThat(first.get(0).waited().token()).isPositive();
    }

    @Test
    void a_single_try_leaves_neither_a_node_nor_a_watch() throws Exception {
        holders(PERMITS);
        long packets = SERVER.admin().packets();

        for (int i = 0; i < 10; i++) {
            busy(b.trier(lock, PERMIT));
        }

        assertThat(SERVER.admin().packets() - packets)
                .as("a creation, a listing and a deletion each")
                .isLessThan(10 * 3 + 15);
        assertThat(SERVER.admin().children(lock)).hasSize(PERMITS);
        assertThat(SERVER.admin().watches()).isZero();
    }

    @Test
    void li6_readers_that_a_writer_lets_in_list_nothing() throws Exception {
        Probe.Holder before = a.holder(lock, Share.READ);
        before.granted();
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        busy(writer);
        List<Probe.Holder> readers = waiters(20, Share.READ);
        before.release();
        writer.waited();
        watches(1 + OWN + OWN);
        long packets = SERVER.admin().packets();

        writer.release();
        readers.forEach(reader -> assertThat(reader.waited().token()).isPositive());

        assertThat(SERVER.admin().packets() - packets)
                .as("a deletion, and heartbeats")
                .isLessThan(10);
    }

    @Test
    void li7_a_permit_that_is_released_costs_a_bounded_number_of_requests() throws Exception {
        List<Probe.Holder> holders = holders(PERMITS);
        List<Probe.Holder> waiters = waiters(40, PERMIT);
        long packets = SERVER.admin().packets();

        holders.get(PERMITS - 1).release();
        assertThat(waiters.get(0).waited().token()).isPositive();

        assertThat(SERVER.admin().packets() - packets)
                .as("a deletion, a listing and a watch for each that watched, and heartbeats")
                .isLessThan(1 + 2 * PERMITS + 8);
        assertThat(waiters.subList(1, waiters.size())).allMatch(waiter -> waiter.signals.isEmpty());
    }
}
