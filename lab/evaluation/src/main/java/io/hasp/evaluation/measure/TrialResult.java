package io.hasp.evaluation.measure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The figures that one trial found. It can be sent to another process.
 *
 * @param figures one for each metric that the trial could answer
 */
public record TrialResult(Map<Metric, Double> figures) {
    static final TrialResult NONE = new TrialResult(Map.of());

    /** Makes the map immutable. */
    public TrialResult {
        figures = Map.copyOf(figures);
    }

    double of(Metric metric) {
        return figures.getOrDefault(metric, Double.NaN);
    }

    /**
     * As arguments of an answer to another process.
     *
     * @return the name and the value of each figure
     */
    public List<String> toArguments() {
        return figures.entrySet().stream()
                .flatMap(figure ->
                        Stream.of(figure.getKey().name(), figure.getValue().toString()))
                .toList();
    }

    /**
     * From the arguments of an answer.
     *
     * @param arguments as {@link #toArguments} made them
     * @return the same figures
     */
    public static TrialResult ofArguments(List<String> arguments) {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        for (int i = 0; i < arguments.size(); i += 2) {
            figures.put(Metric.valueOf(arguments.get(i)), Double.valueOf(arguments.get(i + 1)));
        }
        return new TrialResult(figures);
    }
}
