package io.hasp.evaluation.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The figures of each round, and what they say together. Not thread-safe. */
final class Rounds {
    private record Key(Workload workload, String subject, Metric metric) {}

    private final Map<Key, List<Double>> figures = new LinkedHashMap<>();

    void add(Workload workload, String subject, SliceResult result) {
        for (Metric metric : workload.experiment().metrics()) {
            double figure = metric.of(result);
            if (Double.isFinite(figure)) {
                figures.computeIfAbsent(new Key(workload, subject, metric), any -> new ArrayList<>())
                        .add(figure);
            }
        }
    }

    List<Measurement> measurements() {
        return figures.entrySet().stream()
                .map(series -> {
                    Key key = series.getKey();
                    return Measurement.of(key.workload(), key.subject(), key.metric(), values(key));
                })
                .toList();
    }

    List<Ratio> ratios(List<Pairing> pairings) {
        return figures.keySet().stream()
                .filter(key -> key.metric().hasRatio())
                .flatMap(key -> pairings.stream()
                        .filter(pairing -> pairing.subject().equals(key.subject()))
                        .flatMap(pairing -> ratio(key, pairing).stream()))
                .toList();
    }

    private Optional<Ratio> ratio(Key key, Pairing pairing) {
        double[] mine = values(key);
        double[] theirs = values(new Key(key.workload(), pairing.reference(), key.metric()));
        double[] each = IntStream.range(0, Math.min(mine.length, theirs.length))
                .mapToDouble(round -> key.metric().advantage(mine[round], theirs[round]))
                .filter(times -> Double.isFinite(times) && times > 0)
                .toArray();
        return each.length == 0
                ? Optional.empty()
                : Optional.of(Ratio.of(key.workload(), pairing, key.metric(), Spread.expected(each)));
    }

    private double[] values(Key key) {
        return figures.getOrDefault(key, List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }
}
