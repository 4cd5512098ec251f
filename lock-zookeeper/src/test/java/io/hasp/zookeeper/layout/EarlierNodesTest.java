package io.hasp.zookeeper.layout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.Share;
import io.hasp.zookeeper.layout.SharedOrder.Position;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Entitled nodes, the watches of a waiter, and the proof by a deletion. */
class EarlierNodesTest {
    private static final Share ONE_OF_THREE = new Share(1, 3);

    // Names

    @Test
    void a_name_tells_kind_weight_and_place_and_a_lower_weight_keeps_the_place() {
        NodeName writer = name("s.1048576.1048576-a-1-0000000007");

        assertThat(writer.share()).isEqualTo(Share.WRITE);
        assertThat(writer.sequence()).isEqualTo(7);
        assertThat(writer.withShare(Share.READ).text()).isEqualTo("s.1048576.1-a-1-0000000007");
        assertThat(name("x-a-1-0000000007").share()).isEqualTo(Share.EXCLUSIVE);
        assertThat(name("s.8.3-a--2147483648").sequence()).isEqualTo(NodeOrder.LAST_SEQUENCE);
    }

    @Test
    void foreign_names_are_ignored() {
        List<String> foreign = List.of(
                "s.1.1-a-0000000001",
                "s.5.0-a-0000000001",
                "s.5.6-a-0000000001",
                "s.05.1-a-0000000001",
                "s.5.01-a-0000000001",
                "s.5-a-0000000001",
                "s.5.-a-0000000001",
                "s..5-a-0000000001",
                "s.-1.1-a-0000000001",
                "s.1048577.1-a-0000000001",
                "s.99999999999.1-a-0000000001",
                "s.5.1-0000000001",
                "s.5.1--0000000001",
                "s.5.1-a_b-0000000001",
                "s.5.1-a-000000001",
                "s.",
                "s.5.1",
                "r.5.1-a-0000000001");

        assertThat(foreign).allMatch(child -> NodeName.parse(child) == null);
        assertThat(position(foreign, "s.5.5-own-0000000003")).isInstanceOf(Position.Entitled.class);
    }

    // Positions

    @Test
    void a_node_is_entitled_if_it_fits_beside_all_before_it() {
        List<String> children = permits(3);

        assertThat(position(children, "s.3.1-c2-0000000002")).isInstanceOf(Position.Entitled.class);
        assertThat(position(permits(4), "s.3.1-c3-0000000003")).isInstanceOf(Position.Behind.class);
        assertThat(position(children, "s.3.2-own-0000000009")).isInstanceOf(Position.Behind.class);
        assertThat(position(
                        List.of("s.3.2-a-0000000001", "s.3.2-b-0000000002", "s.3.1-c-0000000003"),
                        "s.3.1-c-0000000003"))
                .as("one that would fit behind one that does not")
                .isInstanceOf(Position.Behind.class);
    }

    @Test
    void the_first_node_says_of_what_kind_the_name_is() {
        List<String> mixed = List.of("s.3.1-a-0000000001", "x-b-0000000002", "s.8.1-c-0000000003");

        assertThat(position(mixed, "s.8.1-c-0000000003")).isEqualTo(new Position.OtherKind(3));
        assertThat(position(mixed, "s.3.1-d-0000000004"))
                .as("those of other kinds are about to go, and in the way until then")
                .isInstanceOf(Position.Behind.class);
        assertThat(NodeOrder.position(mixed, "x-b-0000000002")).isInstanceOf(NodeOrder.Position.BehindShared.class);
        assertThat(SharedOrder.firstCapacity(mixed)).isEqualTo(3);
    }

    @Test
    void a_used_up_sequence_and_a_missing_node_are_told() {
        assertThat(position(List.of("s.3.1-b-2147483647"), "s.3.1-a-2147483647"))
                .isInstanceOf(Position.Exhausted.class);
        assertThat(position(List.of("s.3.1-b--2147483648"), "s.3.1-a-2147483647"))
                .isInstanceOf(Position.Exhausted.class);
        assertThat(SharedOrder.position(List.of(), name("s.3.1-a-0000000001"))).isInstanceOf(Position.Missing.class);
    }

    // Watches

    @Test
    void a_writer_watches_its_predecessor_and_a_reader_the_last_writer() {
        List<NodeName> line = List.of(reader(0), writer(1), reader(2), writer(3), reader(4), reader(5));

        assertThat(before(line, Share.WRITE).toWatch()).containsExactly(reader(5));
        assertThat(before(line, Share.READ).toWatch()).containsExactly(writer(3));
    }

    @Test
    void a_waiter_for_permits_watches_twice_as_many_as_leave_it_no_room() {
        assertThat(before(names(permits(9)), ONE_OF_THREE).toWatch())
                .extracting(NodeName::sequence)
                .containsExactly(8L, 7L, 6L, 5L, 4L, 3L);
        assertThat(before(names(permits(5)), ONE_OF_THREE).toWatch())
                .extracting(NodeName::sequence)
                .containsExactly(4L, 3L, 2L, 1L, 0L);
        assertThat(before(names(permits(7)), new Share(3, 3)).toWatch())
                .extracting(NodeName::sequence)
                .containsExactly(6L);
    }

    @Test
    void no_more_than_256_are_watched() {
        List<NodeName> many = IntStream.range(0, 400)
                .mapToObj(i -> name("s.300.1-c%d-%010d".formatted(i, i)))
                .toList();

        assertThat(before(many, new Share(1, 300)).toWatch())
                .hasSize(256)
                .extracting(NodeName::sequence)
                .contains(399L, 144L);
    }

    @Test
    void nodes_that_are_not_watched_are_not_kept() {
        List<NodeName> line = new ArrayList<>(names(permits(9)));
        WeakReference<NodeName> first = new WeakReference<>(line.get(0));
        EarlierNodes waiter = before(line, ONE_OF_THREE);
        line.clear();
        await().untilAsserted(() -> {
            System.gc();
            assertThat(first.get()).isNull();
        });
        assertThat(waiter.toWatch()).hasSize(6);
    }

    // Deletions

    @Test
    void a_deletion_proves_that_a_node_weighs_less_and_no_more() {
        NodeName writer = writer(1);
        NodeName two = name("s.3.2-a-0000000001");
        NodeName one = name("s.3.1-b-0000000002");

        assertThat(before(List.of(writer), Share.WRITE).leaveRoomAfter(List.of(writer)))
                .isFalse();
        assertThat(before(List.of(reader(0), writer, reader(2)), Share.READ).leaveRoomAfter(List.of(writer)))
                .as("a writer becomes a reader and nothing else")
                .isTrue();
        assertThat(before(List.of(two, one), new Share(2, 3)).leaveRoomAfter(List.of(two)))
                .isFalse();
        assertThat(before(List.of(two, one), new Share(1, 3)).leaveRoomAfter(List.of(two)))
                .isTrue();
        assertThat(before(List.of(two, one), new Share(1, 3)).leaveRoomAfter(List.of(one)))
                .isTrue();
    }

    @Test
    void the_deletion_of_a_node_of_another_kind_proves_nothing() {
        NodeName other = name("s.8.1-a-0000000002");

        assertThat(before(List.of(name("s.3.1-a-0000000001"), other), ONE_OF_THREE)
                        .leaveRoomAfter(List.of(other)))
                .isFalse();
    }

    // Steps

    private static List<String> permits(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "s.3.1-c%d-%010d".formatted(i, i))
                .toList();
    }

    private static List<NodeName> names(List<String> children) {
        return children.stream().map(EarlierNodesTest::name).toList();
    }

    private static NodeName name(String child) {
        return requireNonNull(NodeName.parse(child));
    }

    private static NodeName reader(int sequence) {
        return name("s.1048576.1-r-%010d".formatted(sequence));
    }

    private static NodeName writer(int sequence) {
        return name("s.1048576.1048576-w-%010d".formatted(sequence));
    }

    private static EarlierNodes before(List<NodeName> line, Share asked) {
        List<NodeName> nearestFirst = new ArrayList<>(line);
        Collections.reverse(nearestFirst);
        return new EarlierNodes(nearestFirst, asked);
    }

    private static Position position(List<String> others, String own) {
        List<String> children = new ArrayList<>(others);
        if (!children.contains(own)) {
            children.add(own);
        }
        Collections.shuffle(children, new Random(1));
        return SharedOrder.position(children, name(own));
    }
}
