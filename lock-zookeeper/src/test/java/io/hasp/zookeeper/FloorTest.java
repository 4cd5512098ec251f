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
    void a_lower_floor_is_kept_for_as_long_as_somebody_stands_on_it() {
        assertThat(Floor.outdated(List.of("floor-50-0000000001", EARLY, "floor-80-0000000007")))
                .isEmpty();
        assertThat(Floor.outdated(List.of("floor-50-0000000001", "floor-80-0000000007", LATE)))
                .extracting(Floor::node)
                .containsExactly("floor-50-0000000001");
        assertThat(Floor.outdated(List.of())).isEmpty();
    }
}
