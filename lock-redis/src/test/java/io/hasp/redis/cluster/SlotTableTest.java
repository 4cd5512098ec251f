package io.hasp.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.cluster.SlotTable.Change;
import io.hasp.redis.cluster.Topology.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotTableTest {
    private static final Address A = new Address("a", 1);
    private static final Address B = new Address("b", 1);
    private static final Address C = new Address("c", 1);

    private final StubNodes nodes = new StubNodes();
    private final SlotTable table = new SlotTable(nodes);

    private Change take(long epoch, Range... ranges) {
        return table.take(new Topology(epoch, List.of(ranges)));
    }

    @Test
    void a_master_that_has_lost_all_slots_was_replaced_and_one_that_has_some_has_not_lost_what_was_moved() {
        take(1, new Range(0, 99, A), new Range(100, 199, B));
        ClusterNode a = table.node(A);

        Change moved = take(2, new Range(0, 49, A), new Range(50, 199, B));
        assertThat(moved.lost().isEmpty()).isTrue();
        assertThat(moved.left()).isEmpty();

        Change promoted = take(3, new Range(0, 49, C), new Range(50, 199, B));
        assertThat(promoted.lost().cardinality()).isEqualTo(50);
        assertThat(promoted.lost().get(0)).isTrue();
        assertThat(promoted.lost().get(50)).isFalse();
        assertThat(promoted.left()).containsExactly(a);
        assertThat(promoted.joined()).containsExactly(table.node(C));
        assertThat(table.owner(7)).isSameAs(table.node(C));
        assertThat(table.owner(300)).isNull();
    }

    @Test
    void slots_at_a_node_to_which_nobody_listens_are_told() {
        assertThat(take(1, new Range(0, 99, A)).unheard()).isFalse();
        assertThat(take(2, new Range(0, 49, A), new Range(50, 99, B)).unheard()).isTrue();
        assertThat(take(3, new Range(0, 49, A), new Range(50, 99, B)).unheard()).isFalse();
        table.node(A).subscription = () -> true;
        assertThat(take(4, new Range(0, 99, A)).unheard()).isFalse();
    }

    @Test
    void an_older_answer_is_known_as_such() {
        take(5, new Range(0, 99, A));
        assertThat(table.isAhead(new Topology(4, List.of()))).isTrue();
        assertThat(table.isAhead(new Topology(5, List.of()))).isFalse();
    }
}
