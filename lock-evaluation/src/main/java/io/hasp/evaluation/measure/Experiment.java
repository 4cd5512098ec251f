package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A question put to every lock: the work, and the figures that answer it. */
public enum Experiment {
    /** What does a lock cost that nobody else wants? */
    UNCONTENDED,
    /** How many locks a second does one process get through when its threads don't collide? */
    DISTINCT,
    /** What happens when all threads of a process want the same lock? */
    CONTENDED;

    /**
     * How the command line and the results call it.
     *
     * @return the name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The figures that answer it, the most important one first.
     *
     * @return at least one metric
     */
    public List<Metric> metrics() {
        return switch (this) {
            case UNCONTENDED -> List.of(Metric.CYCLE_P50, Metric.CYCLE_P99);
            case DISTINCT -> List.of(Metric.CYCLES_PER_S);
            case CONTENDED -> List.of(Metric.ACQUISITIONS_PER_S, Metric.WAIT_P50, Metric.WAIT_P99, Metric.JAIN);
        };
    }

    /**
     * The work to do.
     *
     * @return one workload for each shape and hold time
     */
    public List<Workload> workloads() {
        return switch (this) {
            case UNCONTENDED -> List.of(new Workload(this, 1, 1, Duration.ZERO));
            case DISTINCT -> List.of(new Workload(this, 1, 16, Duration.ZERO));
            case CONTENDED ->
                Stream.of(0, 1)
                        .map(millis -> new Workload(this, 1, 16, Duration.ofMillis(millis)))
                        .toList();
        };
    }

    /**
     * Whether all threads want the same lock.
     *
     * @return false if each has one of its own
     */
    public boolean oneName() {
        return this == CONTENDED;
    }
}
