package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A question put to every lock: the work, and the figures that answer it. */
public enum Experiment {
    /** What does a lock cost that nobody else wants? */
    UNCONTENDED(Extent.QUICK),
    /** How many locks a second does one process get through when its threads don't collide? */
    DISTINCT(Extent.QUICK),
    /** What happens when all threads want the same lock, in one process and in two? */
    CONTENDED(Extent.QUICK),
    /** How well is a lock handed from process to process? */
    HANDOFF(Extent.USUAL),
    /** What does it cost to keep locks that are held? */
    WATCHDOG(Extent.FULL);

    private static final int HOLDERS = 16;

    private final Extent least;

    Experiment(Extent least) {
        this.least = least;
    }

    /**
     * How the command line and the results call it.
     *
     * @return the name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether it belongs to a comparison, unless the user says which experiments do.
     *
     * @param extent of the comparison
     * @return true if so
     */
    public boolean belongsTo(Extent extent) {
        return least.compareTo(extent) <= 0;
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
            case CONTENDED ->
                List.of(Metric.ACQUISITIONS_PER_S, Metric.WAIT_P50, Metric.WAIT_P99, Metric.WAIT_MAX, Metric.JAIN);
            case HANDOFF ->
                List.of(
                        Metric.ACQUISITIONS_PER_S,
                        Metric.WAIT_P50,
                        Metric.WAIT_P99,
                        Metric.WAIT_MAX,
                        Metric.JAIN,
                        Metric.COMMANDS_PER_ACQUISITION);
            case WATCHDOG -> List.of(Metric.CLIENT_CPU, Metric.SERVER_CPU);
        };
    }

    /**
     * The work to do.
     *
     * @param extent of the comparison
     * @return one workload for each shape and hold time; never none
     */
    public List<Workload> workloads(Extent extent) {
        Stream<Workload> all = switch (this) {
            case UNCONTENDED -> Stream.of(new Workload(this, 1, 1, 1, Duration.ZERO));
            case DISTINCT -> sizes(extent).mapToObj(size -> new Workload(this, 1, size, size, Duration.ZERO));
            case CONTENDED -> contended(extent);
            case HANDOFF ->
                (extent == Extent.FULL ? Stream.of(2, 4, 8) : Stream.of(4))
                        .flatMap(processes -> oneName(processes, 1, 0));
            case WATCHDOG ->
                Stream.of(1_000, 10_000).map(locks -> new Workload(this, 1, HOLDERS, locks, Duration.ZERO));
        };
        return all.toList();
    }

    private static IntStream sizes(Extent extent) {
        return switch (extent) {
            case QUICK -> IntStream.of(16);
            case USUAL -> IntStream.of(16, 64);
            case FULL -> IntStream.of(4, 8, 16, 64);
        };
    }

    private Stream<Workload> contended(Extent extent) {
        return switch (extent) {
            case QUICK -> oneName(1, 16, 0, 1);
            case USUAL -> Stream.concat(oneName(1, 16, 0, 1), oneName(2, 8, 0, 1));
            case FULL ->
                Stream.concat(
                        Stream.of(4, 8, 16).flatMap(threads -> oneName(1, threads, 0, 1, 10)), oneName(2, 8, 0, 1, 10));
        };
    }

    private Stream<Workload> oneName(int processes, int threads, long... holds) {
        return LongStream.of(holds)
                .mapToObj(millis -> new Workload(this, processes, threads, 1, Duration.ofMillis(millis)));
    }

    /**
     * Whether all threads want the same lock.
     *
     * @return false if each has one of its own
     */
    public boolean oneName() {
        return this == CONTENDED || this == HANDOFF;
    }
}
