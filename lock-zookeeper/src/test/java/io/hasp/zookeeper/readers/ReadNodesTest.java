package io.hasp.zookeeper.readers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.Attempt;
import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.ReadersWorld;
import io.hasp.zookeeper.ReadersWorldFixture;
import io.hasp.zookeeper.WorldReader;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.SessionClock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Readers that share nodes: who asks again, listings that say nothing, and how those who wait hear of their turn. */
class ReadNodesTest extends ReadersWorldFixture {
    private static final Attempt NOTHING = new Attempt.Gone();

    // Asking again

    @Test
    void a_reader_that_asks_again_goes_on_waiting_for_its_listing() {
        WorldReader first = holder();
        world.writerComes();
        WorldReader second = asking();

        second.call();

        assertThat(second.answered()).isFalse();
        world.settle();
        assertThat(second.calls).allMatch(call -> call.getNow(NOTHING) instanceof Attempt.Busy);
        assertThat(world.nodeOf(second.claim.holder())).isNotEqualTo(world.nodeOf(first.claim.holder()));
    }

    @Test
    void both_calls_of_a_reader_that_asked_twice_are_answered_when_it_has_joined() {
        holder();
        WorldReader second = asking();
        second.call();

        world.settle();

        assertThat(second.calls).hasSize(2).allMatch(call -> call.getNow(NOTHING) instanceof Attempt.Granted);
        assertThat(world.ownNodes()).hasSize(1);
    }

    @Test
    void a_reader_that_asks_again_while_its_node_is_made_has_one_node() {
        WorldReader reader = asking();
        reader.call();

        world.settle();

        assertThat(reader.calls).hasSize(2).allMatch(call -> call.getNow(NOTHING) instanceof Attempt.Granted);
        assertThat(world.ownNodes()).hasSize(1);
    }

    // Answers that an error took

    @Test
    void a_reader_whose_listing_told_nobody_anything_asks_again_and_enters() {
        holder();
        WorldReader second = asking();
        world.settleAfterDropping(2);
        second.timesOut();

        second.call();
        world.settle();

        assertThat(second.granted()).isTrue();
    }

    @Test
    void a_listing_that_told_nobody_anything_shuts_no_later_reader_out() {
        holder();
        asking();
        world.settleAfterDropping(2);
        WorldReader later = asking();
        later.timesOut();

        later.call();
        world.settle();

        assertThat(later.granted()).isTrue();
    }

    /** The thread that was to create the node had an error instead. */
    @Test
    void a_reader_whose_node_nobody_creates_asks_again_and_creates_it() {
        WorldReader reader = world.reader(true);
        LockNode lockNode = world.newNode(reader.claim.withHolder(new HolderId("reader-1-r1")), world.session());
        ReadNode node = new ReadNode(lockNode, world.reads, new SessionClock());
        ReadRequest first = request(reader);
        assertThat(node.take(first)).isTrue();
        first.failed(new OutOfMemoryError("planted"));
        ReadRequest second = request(reader);

        node.again(second).run();
        world.settle();

        assertThat(second.answer().getNow(NOTHING)).isInstanceOf(Attempt.Granted.class);
        world.remove(lockNode);
    }

    private static ReadRequest request(WorldReader reader) {
        return new ReadRequest(reader.claim, signal -> {}, ReadersWorld.STARTED, new CompletableFuture<>());
    }

    // Listings that say nothing

    @Test
    void a_listing_whose_sync_is_lost_lets_nobody_in() {
        holder();
        world.administratorDeletes();
        world.writerComes();
        WorldReader second = asking();

        world.handle.lose(false);
        world.settleWithoutCatchingUp();

        assertThat(second.failed()).isTrue();
    }

    @Test
    void a_listing_that_is_answered_before_its_sync_lets_nobody_in() {
        holder();
        world.administratorDeletes();
        world.writerComes();
        WorldReader second = asking();

        world.handle.serveOvertaking();
        world.settleWithoutCatchingUp();

        assertThat(second.failed()).isTrue();
    }

    // Turns

    /** The event thread has the deletion, and has notified no listener yet, when a poll takes the turn. */
    @Test
    void all_readers_of_a_node_hear_of_a_turn_that_a_poll_found_first() throws Exception {
        world.writerComes();
        WorldReader first = waiter();
        WorldReader second = waiter();
        world.writerGoes();
        assertThat(world.handle.catchUp()).isTrue();
        Thread events = new Thread(world.handle::deliver);
        LockNode node = requireNonNull(world.nodeOf(first.claim.holder()));
        synchronized (node) {
            events.start();
            await().until(() -> events.getState() == Thread.State.BLOCKED);
            first.call();
        }
        events.join();

        assertThat(first.granted()).isTrue();
        assertThat(second.signals).contains(Signal.MAYBE_FREE);
    }

    /** The node has no watch: behind two writers, the deletion of one would save no listing. */
    @Test
    void all_readers_of_a_node_hear_that_it_is_gone_when_one_of_them_finds_out() {
        world.writerComes();
        world.writerComes();
        WorldReader first = waiter();
        WorldReader second = waiter();
        world.administratorDeletes();
        world.handle.catchUp();

        second.call();
        world.settle();

        assertThat(second.isOver()).isTrue();
        assertThat(first.signals).contains(Signal.MAYBE_FREE);
        first.call();
        assertThat(first.isOver()).isTrue();
    }
}
