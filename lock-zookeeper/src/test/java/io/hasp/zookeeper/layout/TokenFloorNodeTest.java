package io.hasp.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Grant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The nodes that keep a token floor: their names and offsets. */
class TokenFloorNodeTest {
    private static final String EARLY = "x-a-1-0000000003";
    private static final String LATE = "x-b-1-0000000009";

    @Test
    void a_floor_counts_for_the_nodes_created_after_it() {
        List<String> children = List.of("floor-50-0000000001", EARLY, "floor-80-0000000007", LATE, "other");

        assertThat(TokenFloorNode.offsetFor(EARLY, children)).isEqualTo(50);
        assertThat(TokenFloorNode.offsetFor(LATE, children)).isEqualTo(80);
        assertThat(TokenFloorNode.highestOffset(children)).isEqualTo(80);
        assertThat(TokenFloorNode.offsetFor(LATE, List.of(LATE))).isZero();
    }

    @Test
    void a_child_with_another_name_is_no_floor() {
        List<String> foreign = List.of(
                "floor-0000000001",
                "floor--0000000001",
                "floor-5x-0000000001",
                "floor-50-000000001",
                "floor-9999999999999999999-0000000001",
                "floor-12345678901234567890-0000000001",
                "floor-50---2147483648",
                "floor-50--0000000001",
                "floor--50-0000000001",
                "floor---2147483648",
                "floor-" + Grant.TOKEN_LIMIT + "-0000000001",
                "floor-" + Long.MAX_VALUE + "-0000000001",
                "ceiling-50-0000000001");

        assertThat(TokenFloorNode.parseAll(foreign)).isEmpty();
        long highest = Grant.TOKEN_LIMIT - 1;
        assertThat(TokenFloorNode.parseAll(List.of("floor-" + highest + "-0000000001")))
                .containsExactly(new TokenFloorNode("floor-" + highest + "-0000000001", highest, 1));
    }

    @Test
    void zk6_a_floor_that_was_made_at_the_end_of_the_sequence_is_one() {
        assertThat(TokenFloorNode.parseAll(List.of("floor-50--2147483648", "floor-60-2147483647")))
                .containsExactly(
                        new TokenFloorNode("floor-50--2147483648", 50, NodeOrder.LAST_SEQUENCE),
                        new TokenFloorNode("floor-60-2147483647", 60, NodeOrder.LAST_SEQUENCE));
    }

    @Test
    void a_lower_floor_is_kept_for_as_long_as_a_node_needs_it() {
        assertThat(TokenFloorNode.outdated(List.of("floor-50-0000000001", EARLY, "floor-80-0000000007")))
                .isEmpty();
        assertThat(TokenFloorNode.outdated(List.of("floor-50-0000000001", "floor-80-0000000007", LATE)))
                .extracting(TokenFloorNode::name)
                .containsExactly("floor-50-0000000001");
        assertThat(TokenFloorNode.outdated(List.of())).isEmpty();
    }

    @Test
    void of_floors_with_one_offset_the_latest_stays() {
        assertThat(TokenFloorNode.outdated(List.of("floor-50-0000000007", "floor-50-0000000001", LATE)))
                .extracting(TokenFloorNode::name)
                .containsExactly("floor-50-0000000001");
        assertThat(TokenFloorNode.outdated(List.of("floor-50-0000000001", EARLY, "floor-50-0000000007")))
                .isEmpty();
    }
}
