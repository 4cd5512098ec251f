package io.hasp.zookeeper.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.ReadersWorldFixture;
import io.hasp.zookeeper.WorldReader;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Readers that share nodes: how they leave, are turned away and lose their node, and that nothing stays of them. */
class ReadNodeEndsTest extends ReadersWorldFixture {
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
    void a_node_that_its_last_reader_left_and_nobody_may_join_is_replaced_in_one_transaction() {
        WorldReader first = holder();
        world.writerComes();
        int transactions = world.folder.latest();
        WorldReader second = asking();
        assertThat(first.release()).isCompletedWithValue(Released.RELEASED);

        world.settle();

        assertThat(second.waits()).isTrue();
        assertThat(world.ownNodes()).hasSize(1);
        assertThat(world.folder.latest()).isEqualTo(transactions + 1);
    }

    @Test
    void a_node_is_removed_although_the_transaction_that_replaces_it_was_lost() {
        WorldReader first = holder();
        world.writerComes();
        asking();
        first.release();
        answer(2);

        world.handle.lose(false);
        world.settle();

        assertThat(world.ownNodes()).isEmpty();
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
    void readers_that_lost_their_node_have_no_place_any_more() {
        WorldReader first = holder();
        world.administratorDeletes();

        world.heartbeat();

        assertThat(first.signals).containsExactly(Signal.LOST);
        assertThat(world.nothingIsKept()).isTrue();
    }

    @Test
    void a_reader_that_has_not_joined_is_not_renewed_with_the_node_of_others() {
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
