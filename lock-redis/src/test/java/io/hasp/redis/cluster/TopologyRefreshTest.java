package io.hasp.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The nodes whose view of the slots counts. */
class TopologyRefreshTest {
    private static final Address A = new Address("a", 1);
    private static final Address B = new Address("b", 1);
    private static final Address C = new Address("c", 1);

    private final StubNodes nodes = new StubNodes();
    private final SlotTable table = new SlotTable(nodes);
    private final List<SlotTable.Change> changes = new ArrayList<>();
    private final Timing timing = new Timing() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    };
    private final TopologyRefresh refresh =
            new TopologyRefresh(table, List.of(A, B, C), nodes, timing, Runnable::run, changes::add);

    @Test
    void an_error_keeps_no_later_question_back() {
        List<Runnable> scheduled = new ArrayList<>();
        Timing withoutMemory = new Timing() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public Timer schedule(Duration delay, Runnable task) {
                scheduled.add(task);
                if (scheduled.size() == 1) {
                    throw new OutOfMemoryError("no timer");
                }
                return () -> {};
            }
        };
        TopologyRefresh failing =
                new TopologyRefresh(table, List.of(A, B, C), nodes, withoutMemory, Runnable::run, changes::add);
        nodes.replies.put(A, "5\n0 99 1 b");
        failing.now().toCompletableFuture().join();
        assertThatThrownBy(failing::soon).isInstanceOf(OutOfMemoryError.class);
        failing.soon();
        assertThat(scheduled).hasSize(2);
    }

    private void refresh() {
        refresh.now().toCompletableFuture().join();
    }

    private void assertOwner(Address owner) {
        assertThat(table.owner(7)).isSameAs(table.node(owner));
    }

    @Test
    void any_node_that_answers_is_believed_at_first() {
        nodes.replies.put(C, "5\n0 99 1 b");
        refresh();
        assertOwner(B);
        assertThat(nodes.calls).containsExactly("a:1", "b:1", "c:1");
    }

    @Test
    void a_node_that_was_cut_off_from_the_others_is_not_believed() {
        nodes.replies.put(C, "5\n0 99 1 b");
        refresh();
        nodes.replies.put(A, "4\n0 99 1 a");
        nodes.replies.put(B, "6\n0 99 1 c");
        for (int i = 0; i < 10; i++) {
            refresh();
        }
        assertOwner(C);
        nodes.replies.remove(B);
        nodes.replies.remove(C);
        assertThatThrownBy(this::refresh).hasMessageContaining("no node says where the slots are");
        assertOwner(C);
    }

    @Test
    void a_majority_of_nodes_that_forgot_is_believed() {
        nodes.replies.put(A, "5\n0 99 1 b");
        refresh();
        nodes.replies.put(A, "1\n0 99 1 a");
        nodes.replies.put(C, "2\n0 99 1 c");
        refresh();
        assertOwner(C);
    }
}
