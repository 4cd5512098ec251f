package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.Attempt;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers that share nodes, while the test serves, loses and answers each request. What is wrong in {@link ReadersWorld} fails at once. */
class ReadNodesTest {
    private static final Attempt NOTHING = new Attempt.Gone();

    private static ServerSocket silent;
    private static ScriptedHandle[] handles;
    private ReadersWorld world;

    @BeforeAll
    static void listen() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        handles = new ScriptedHandle[] {ScriptedHandle.to(silent, 1), ScriptedHandle.to(silent, 2)};
    }

    @AfterAll
    static void close() throws Exception {
        silent.close();
        for (ScriptedHandle handle : handles) {
            handle.close();
        }
    }

    @BeforeEach
    void begin() {
        world = new ReadersWorld(handles);
    }

    @AfterEach
    void nothing_is_left() {
        world.releaseAll();
        assertThat(world.ownNodes()).isEmpty();
        assertThat(world.nothingIsKept()).isTrue();
    }

    private WorldReader holder() {
        WorldReader reader = world.reader(true);
        reader.call();
        world.settle();
        assertThat(reader.granted()).isTrue();
        return reader;
    }

    private WorldReader waiter() {
        WorldReader reader = world.reader(true);
        reader.call();
        world.settle();
        assertThat(reader.waits()).isTrue();
        return reader;
    }

    private WorldReader asking() {
        WorldReader reader = world.reader(true);
        reader.call();
        assertThat(reader.answered()).isFalse();
        return reader;
    }

    private void answer(int requests) {
        for (int i = 0; i < requests; i++) {
            assertThat(world.handle.serve()).isTrue();
            while (world.handle.deliver()) {}
        }
    }

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

    /** The event thread knows of the deletion, and has told nobody yet, when a poll takes the turn. */
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

    // Leaving

    @Test
    void a_reader_that_leaves_while_it_gets_another_node_leaves_nothing() {
        holder();
        world.writerComes();
        WorldReader second = asking();
        world.whenSessionIsAsked = () -> {
            world.whenSessionIsAsked = () -> {};
            second.release();
        };

        world.settle();

        assertThat(second.calls.get(0)).isCompletedWithValueMatching(answer -> answer instanceof Attempt.Gone);
        assertThat(world.ownNodes()).hasSize(1);
    }

    @Test
    void a_reader_that_leaves_before_its_answer_is_not_granted_afterwards() {
        world.writerComes();
        WorldReader first = waiter();
        WorldReader second = waiter();
        world.writerGoes();
        second.call();

        CompletableFuture<Released> released = second.release();

        assertThat(released).isCompletedWithValue(Released.NOT_HELD);
        world.settle();
        assertThat(second.granted()).isFalse();
        assertThat(first.signals).contains(Signal.MAYBE_FREE);
    }

    @Test
    void a_node_whose_readers_left_while_it_was_made_is_deleted() {
        WorldReader first = asking();
        WorldReader second = asking();
        first.release();
        second.release();

        world.settle();

        assertThat(world.ownNodes()).isEmpty();
    }

    @Test
    void a_place_that_was_kept_for_a_failed_removal_is_forgotten_when_the_background_removes_the_node() {
        WorldReader reader = holder();
        CompletableFuture<Released> released = reader.release();
        world.handle.lose(false);
        world.handle.deliver();
        world.handle.deliver();
        assertThat(released).isCompletedExceptionally();

        world.settle();

        assertThat(world.nothingIsKept()).isTrue();
    }

    @Test
    void a_node_is_removed_once() {
        WorldReader first = holder();
        WorldReader second = asking();
        second.release();
        first.release();

        world.settle();

        assertThat(world.removals()).isEqualTo(1);
    }

    @Test
    void a_listing_that_shows_no_node_tells_its_readers_of_the_loss() {
        WorldReader first = holder();
        world.administratorDeletes();
        WorldReader second = asking();

        world.settleWithoutCatchingUp();

        assertThat(first.signals).containsExactly(Signal.LOST);
        assertThat(second.granted()).isTrue();
    }

    @Test
    void a_reader_that_asks_nothing_is_not_renewed_with_the_node_of_others() {
        holder();
        WorldReader second = asking();

        assertThat(world.nodeOf(second.claim.holder())).as("it has not joined").isNull();

        second.release();
        assertThat(world.isWithdrawn(second.claim.holder()))
                .as("a late call is not granted")
                .isTrue();
    }

    @Test
    void readers_that_are_turned_away_together_share_the_next_node() {
        holder();
        world.writerComes();
        int syncs = world.handle.syncs();
        WorldReader second = asking();
        WorldReader third = asking();
        WorldReader trier = world.reader(false);
        trier.call();

        world.settle();

        assertThat(world.nodeOf(second.claim.holder())).isNotNull().isEqualTo(world.nodeOf(third.claim.holder()));
        assertThat(trier.isBusy()).isTrue();
        assertThat(world.ownNodes()).hasSize(2);
        assertThat(world.handle.syncs())
                .as("one found the writer, none follows")
                .isEqualTo(syncs + 1);
    }

    @Test
    void a_reader_whose_next_node_can_not_be_made_fails_alone() {
        WorldReader first = holder();
        world.writerComes();
        WorldReader second = asking();
        world.whenSessionIsAsked = () -> {
            throw ZooKeeperFailures.notSent("planted", null);
        };

        world.settle();

        assertThat(second.failed()).isTrue();
        assertThat(world.nodeOf(first.claim.holder())).isNotNull();
    }

    @Test
    void a_release_is_repeated_until_the_node_is_gone() {
        WorldReader reader = holder();
        CompletableFuture<Released> first = reader.release();
        world.handle.lose(true);
        world.handle.deliver();
        world.handle.deliver();
        assertThat(first).isCompletedExceptionally();

        CompletableFuture<Released> second = reader.release();

        assertThat(second).isNotDone();
        answer(1);
        assertThat(second).isCompletedWithValue(Released.RELEASED);
    }
}
