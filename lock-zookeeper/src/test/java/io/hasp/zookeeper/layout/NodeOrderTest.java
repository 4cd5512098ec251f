package io.hasp.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.HolderId;
import io.hasp.spi.Share;
import io.hasp.zookeeper.layout.NodeOrder.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order of the nodes in a folder, by sequence and not by name. */
class NodeOrderTest {
    @Test
    void alone_is_first() {
        assertThat(NodeOrder.position(List.of("x-a-1-0000000007"), "x-a-1-0000000007"))
                .isEqualTo(new Position.First());
    }

    @Test
    void order_is_by_sequence_and_not_by_the_holder_in_the_name() {
        List<String> children = List.of("x-aaa-0000000009", "x-zzz-0000000001", "x-mmm-0000000005");

        assertThat(NodeOrder.position(children, "x-zzz-0000000001")).isEqualTo(new Position.First());
        assertThat(NodeOrder.position(children, "x-mmm-0000000005"))
                .isEqualTo(new Position.Behind("x-zzz-0000000001", true, false));
        assertThat(NodeOrder.position(children, "x-aaa-0000000009"))
                .isEqualTo(new Position.Behind("x-mmm-0000000005", false, false));
    }

    @Test
    void foreign_children_are_ignored() {
        List<String> children = List.of(
                "_c_6f0b-lock-0000000000",
                "x-",
                "x--",
                "readme",
                "x-a-000000001",
                "y-b-0000000000",
                "x-0000000000",
                "x--0000000000",
                "x-a_b-0000000000",
                "x-a-\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660",
                "x-a-00000000 1",
                "x-a-0000000001-",
                "x-own-0000000003");

        assertThat(NodeOrder.position(children, "x-own-0000000003")).isEqualTo(new Position.First());
    }

    @Test
    void missing_when_the_own_node_is_not_listed() {
        assertThat(NodeOrder.position(List.of("x-b-0000000001"), "x-a-0000000000"))
                .isEqualTo(new Position.Missing());
    }

    @Test
    void zk6_an_exhausted_sequence_is_refused_and_stands_behind_the_others() {
        List<String> children = List.of("x-a-2147483646", "x-b-2147483647", "x-c-2147483647", "x-d--2147483648");

        assertThat(NodeOrder.position(children, "x-a-2147483646")).isEqualTo(new Position.First());
        for (String exhausted : children.subList(1, 4)) {
            assertThat(NodeOrder.position(children, exhausted)).as(exhausted).isEqualTo(new Position.Exhausted());
        }
    }

    @Test
    void only_ten_digits_behind_a_dash_are_a_sequence() {
        assertThat(NodeOrder.sequence("x-a-1-0000000007")).isEqualTo(7);
        assertThat(NodeOrder.sequence("x-a--0000000007"))
                .as("of a holder whose id ends with a dash")
                .isEqualTo(7);
        assertThat(NodeOrder.sequence("x-a--2147483640")).isEqualTo(NodeOrder.LAST_SEQUENCE);
        assertThat(NodeOrder.sequence("x-a-9999999999")).isEqualTo(NodeOrder.LAST_SEQUENCE);
        assertThat(NodeOrder.sequence("")).isEqualTo(-1);
        assertThat(NodeOrder.sequence("0000000007")).isEqualTo(-1);
        assertThat(NodeOrder.sequence("x-a-00000000007")).isEqualTo(-1);
    }

    @Test
    void a_holder_is_found_by_its_whole_id() {
        List<String> children = List.of("x-a-1-0000000002", "x-a-0000000004", "x-a--2147483648");

        assertThat(NodeOrder.find(children, "a-1")).contains("x-a-1-0000000002");
        assertThat(NodeOrder.find(children, "a")).contains("x-a-0000000004");
        assertThat(NodeOrder.find(children, "1")).isEmpty();
        assertThat(NodeOrder.find(List.of("x-b--2147483648"), "b")).contains("x-b--2147483648");
        assertThat(NodeOrder.find(List.of("x-b-0000000001x", "x-b-000000001"), "b"))
                .isEmpty();
    }

    @Test
    void everybody_but_the_first_has_exactly_one_predecessor_and_they_form_one_line() {
        Random random = new Random(42);
        List<String> line = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            line.add("x-%s-%d-%010d".formatted(Integer.toString(random.nextInt(1 << 30), 36), i, i * 3));
        }
        List<String> shuffled = new ArrayList<>(line);
        Collections.shuffle(shuffled, random);

        assertThat(NodeOrder.position(shuffled, line.get(0))).isEqualTo(new Position.First());
        for (int i = 1; i < line.size(); i++) {
            assertThat(NodeOrder.position(shuffled, line.get(i)))
                    .isEqualTo(new Position.Behind(line.get(i - 1), i == 1, false));
        }
    }

    @Test
    void a_node_whose_client_may_keep_the_lock_is_one_like_any_other_and_known_by_its_name() {
        assertThat(NodeName.prefix(new HolderId("a-1"), Share.EXCLUSIVE, true)).isEqualTo("x-k-a-1-");
        assertThat(NodeName.keeps("x-k-a-1-0000000001")).isTrue();
        assertThat(NodeName.keeps("x-k-a--2147483648")).isTrue();
        assertThat(List.of("x-k-0000000001", "x-k--2147483648", "x-ka-0000000001", "x-a-k-0000000001"))
                .noneMatch(NodeName::keeps);
        List<String> children = List.of(
                "x-k-a-1-0000000001", "x-k-b-0000000002", "x-c-0000000003", "x-k-d-0000000004", "x-e-0000000005");
        assertThat(NodeOrder.position(children, "x-k-a-1-0000000001")).isEqualTo(new Position.First());
        assertThat(NodeOrder.position(children, "x-c-0000000003"))
                .isEqualTo(new Position.Behind("x-k-b-0000000002", false, true));
        assertThat(NodeOrder.position(children, "x-k-d-0000000004"))
                .isEqualTo(new Position.Behind("x-c-0000000003", false, false));
        assertThat(NodeOrder.position(children, "x-e-0000000005"))
                .as("behind one that keeps, and others")
                .isEqualTo(new Position.Behind("x-k-d-0000000004", false, false));
        assertThat(NodeOrder.find(children, NodeName.id(new HolderId("b"), true)))
                .contains("x-k-b-0000000002");
        assertThat(NodeOrder.find(children, NodeName.id(new HolderId("b"), false)))
                .isEmpty();
        assertThat(NodeOrder.first(children)).contains("x-k-a-1-0000000001");
        assertThat(NodeOrder.anyBehind(children, 4)).isTrue();
        assertThat(NodeOrder.anyBehind(children, 5)).isFalse();
    }
}
