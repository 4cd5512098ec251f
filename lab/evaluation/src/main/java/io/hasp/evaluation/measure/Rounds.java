package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Pairing;
import io.hasp.evaluation.statistics.Series;
import io.hasp.evaluation.statistics.Spread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The figures of each round, and their summary. If a round has too few observations for a percentile, as many
 * consecutive rounds as needed are combined. Not thread-safe.
 */
final class Rounds {
    private record Key(Workload workload, String subject, Metric metric) {}

    private record Round(double figure, int fork) {}

    private final Map<Key, List<Round>> figures = new LinkedHashMap<>();
    private final Map<Key, Histogram> waiting = new HashMap<>();

    void add(Workload workload, String subject, SliceResult result, int fork) {
        for (Metric metric : workload.experiment().metrics()) {
            Key key = new Key(workload, subject, metric);
            double figure = metric.fewestObservations() == 0 ? metric.of(result) : percentile(key, result);
            if (Double.isFinite(figure)) {
                figures.computeIfAbsent(key, any -> new ArrayList<>()).add(new Round(figure, fork));
            }
        }
    }

    /** NaN until there are enough observations. */
    private double percentile(Key key, SliceResult result) {
        Histogram before = waiting.remove(key);
        Histogram times = result.times();
        if (before != null) {
            before.add(times);
            times = before;
        }
        if (times.getTotalCount() >= key.metric().fewestObservations()) {
            return key.metric().of(result.withTimes(times));
        }
        waiting.put(key, before == null ? times.copy() : times);
        return Double.NaN;
    }

    List<Measurement> measurements() {
        return figures.keySet().stream()
                .map(key -> Measurement.of(key.workload(), key.subject(), key.metric(), series(key)))
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
        Series theirs = series(new Key(key.workload(), pairing.reference(), key.metric()));
        Spread spread = Series.advantage(series(key), theirs, key.metric().lowerIsBetter(), 1);
        return spread.n() == 0
                ? Optional.empty()
                : Optional.of(Ratio.of(key.workload(), pairing, key.metric(), spread));
    }

    private Series series(Key key) {
        List<Round> rounds = figures.getOrDefault(key, List.of());
        return new Series(
                rounds.stream().map(Round::figure).toList(),
                rounds.stream().map(Round::fork).toList());
    }
}
