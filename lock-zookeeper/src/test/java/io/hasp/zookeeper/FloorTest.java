package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FloorTest {
    private static final String EARLY = "x-a-1-0000000003";
    private static final String LATE = "x-b-1-0000000009";

    @Test
    void a_floor_counts_for_those_who_came_after_it() {
        List<String> children = List.of("floor-50-0000000001", EARLY, "floor-80-0000000007", LATE, "other");

        assertThat(Floor.under(EARLY, children)).isEqualTo(50);
        assertThat(Floor.under(LATE, children)).isEqualTo(80);
        assertThat(Floor.offset(children)).isEqualTo(80);
        assertThat(Floor.under(LATE, List.of(LATE))).isZero();
    }

    @Test
    void what_is_not_written_like_a_floor_is_none() {
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
                "floor-" + Answers.TOKENS_END + "-0000000001",
                "floor-" + Long.MAX_VALUE + "-0000000001",
                "ceiling-50-0000000001");

        assertThat(Floor.among(foreign)).isEmpty();
        long highest = Answers.TOKENS_END - 1;
        assertThat(Floor.among(List.of("floor-" + highest + "-0000000001")))
                .containsExactly(new Floor("floor-" + highest + "-0000000001", highest, 1));
    }

    @Test
    void zk6_a_floor_that_was_made_at_the_end_of_the_sequence_is_one() {
        assertThat(Floor.among(List.of("floor-50--2147483648", "floor-60-2147483647")))
                .containsExactly(
                        new Floor("floor-50--2147483648", 50, Line.LAST_SEQUENCE),
                        new Floor("floor-60-2147483647", 60, Line.LAST_SEQUENCE));
    }

    @Test
    void a_lower_floor_is_kept_for_as_long_as_somebody_stands_on_it() {
        assertThat(Floor.outdated(List.of("floor-50-0000000001", EARLY, "floor-80-0000000007")))
                .isEmpty();
        assertThat(Floor.outdated(List.of("floor-50-0000000001", "floor-80-0000000007", LATE)))
                .extracting(Floor::node)
                .containsExactly("floor-50-0000000001");
        assertThat(Floor.outdated(List.of())).isEmpty();
    }
}
