package io.hasp.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WilliamsSquareTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 10, 11})
    void each_comes_at_each_place_and_after_each_other_one_equally_often(int size) {
        List<List<Integer>> orders = WilliamsSquare.orders(size);
        Map<List<Integer>, Integer> places = new HashMap<>();
        Map<List<Integer>, Integer> followed = new HashMap<>();
        for (List<Integer> order : orders) {
            for (int place = 0; place < size; place++) {
                places.merge(List.of(place, order.get(place)), 1, Integer::sum);
                if (place > 0) {
                    followed.merge(order.subList(place - 1, place + 1), 1, Integer::sum);
                }
            }
        }

        assertThat(orders).hasSize(size % 2 == 0 ? size : 2 * size);
        assertThat(places).hasSize(size * size);
        assertThat(places.values()).containsOnly(orders.size() / size);
        assertThat(followed).hasSize(size * (size - 1));
        assertThat(followed.values()).allMatch(times -> times == orders.size() / size);
    }
}
