package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.WilliamsSquare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The order of the subjects. The turns at one workload follow the orders of a Williams square: after as many turns as
 * it has orders, each subject was equally often at each place, and right after each other subject. The subjects'
 * numbers and the sequence of the orders are drawn from the seed. Not thread-safe.
 */
final class TurnOrder {
    private final Random random;
    private final Map<Workload, List<List<ConnectedSubject>>> left = new HashMap<>();

    TurnOrder(long seed) {
        random = new Random(seed);
    }

    /** The order of the next pass, of the subjects that take part in a workload. */
    List<ConnectedSubject> next(Workload workload, List<ConnectedSubject> subjects) {
        List<List<ConnectedSubject>> orders = left.computeIfAbsent(workload, any -> new ArrayList<>());
        if (orders.isEmpty()) {
            orders.addAll(drawn(subjects.stream()
                    .filter(subject -> subject.takesPart(workload))
                    .toList()));
        }
        return orders.remove(orders.size() - 1);
    }

    private List<List<ConnectedSubject>> drawn(List<ConnectedSubject> subjects) {
        if (subjects.isEmpty()) {
            return List.of(List.of());
        }
        List<ConnectedSubject> numbered = new ArrayList<>(subjects);
        Collections.shuffle(numbered, random);
        List<List<ConnectedSubject>> orders = new ArrayList<>();
        for (List<Integer> order : WilliamsSquare.orders(numbered.size())) {
            orders.add(order.stream().map(numbered::get).toList());
        }
        Collections.shuffle(orders, random);
        return orders;
    }
}
