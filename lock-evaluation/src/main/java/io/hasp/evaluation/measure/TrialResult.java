package io.hasp.evaluation.measure;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

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
     * Sends them.
     *
     * @param out where
     * @throws IOException if that fails
     */
    public void write(DataOutputStream out) throws IOException {
        out.writeInt(figures.size());
        for (Map.Entry<Metric, Double> figure : figures.entrySet()) {
            out.writeUTF(figure.getKey().name());
            out.writeDouble(figure.getValue());
        }
    }

    /**
     * Receives some.
     *
     * @param in where from
     * @return what {@link #write} sent
     * @throws IOException if that fails
     */
    public static TrialResult read(DataInputStream in) throws IOException {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        for (int left = in.readInt(); left > 0; left--) {
            figures.put(Metric.valueOf(in.readUTF()), in.readDouble());
        }
        return new TrialResult(figures);
    }
}
