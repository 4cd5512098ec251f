package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Experiments that belong to {@code --curves} only, because they take long. All but one have no workloads but the points of a curve. */
final class CurveExperiments {
    private static final int THREADS = 16;
    private static final int OPEN_THREADS = 64;
    private static final int OPEN_NAMES = 100;

    /** The cost of many waiters. */
    static final Experiment WAITERS = about("waiters")
            .work((it, tier) -> Stream.of(2, 10, 50, 200, 1_000, 2_000)
                    .map(threads -> new Workload(it, 1, threads, 1, Duration.ZERO, Axis.WAITERS, threads)))
            .oneName()
            .answeredBy(Metric.TURN, Metric.WAIT_P50)
            .shownAs(
                    work -> work.threads() + " threads",
                    work -> work.threads() + " threads of one process want one name");

    /** The cost of many names, each taken again and again. */
    static final Experiment NAMES = about("names")
            .work((it, tier) -> Stream.of(1, 10, 100, 1_000, 10_000, 100_000)
                    .map(names -> new Workload(it, 1, 1, names, Duration.ZERO, Axis.NAMES, names)))
            .picks(Experiment.Picks.AT_RANDOM)
            .answeredBy(Metric.CYCLE_MEAN, Metric.CYCLE_P50)
            .shownAs(
                    Experiments::names,
                    work -> "1 thread locks and unlocks names at random, of " + Experiments.names(work));

    /** The cost of names that were never used; on the curve, the cost of many names used before. */
    static final Experiment FRESH = about("fresh")
            .work(CurveExperiments::fresh)
            .picks(Experiment.Picks.NEVER_TWICE)
            .answeredBy(Metric.CYCLE_MEAN, Metric.CYCLE_P50)
            .shownAs(
                    work -> work.axis() == Axis.FRESH
                            ? String.format(Locale.ROOT, "%,.0f before", work.at())
                            : Experiments.count(work.threads(), "thread"),
                    work -> Experiments.count(work.threads(), "thread")
                            + (work.threads() == 1 ? " locks and unlocks" : " lock and unlock")
                            + " names that nobody used before"
                            + (work.axis() == Axis.FRESH
                                    ? String.format(Locale.ROOT, ", after %,.0f others", work.at())
                                    : ""));

    /** The time of a turn beyond the hold. */
    static final Experiment HOLDS = about("holds")
            .work((it, tier) -> Stream.of(0, 1, 3, 10, 30, 100)
                    .map(millis -> new Workload(it, 1, THREADS, 1, Duration.ofMillis(millis), Axis.HOLD, millis)))
            .oneName()
            .answeredBy(Metric.TURN)
            .shownAs(
                    work -> "hold " + work.holdMillis() + " ms",
                    work -> THREADS + " threads of one process want one name; hold " + work.holdMillis() + " ms");

    /** The waiting time of requests that arrive independently of the completion of earlier ones. */
    static final Experiment RATE = about("rate")
            .work((it, tier) -> Stream.of(30, 100, 300, 1_000, 3_000, 10_000)
                    .map(rate -> new Workload(it, 1, OPEN_THREADS, OPEN_NAMES, Duration.ZERO, Axis.RATE, rate)))
            .picks(Experiment.Picks.AT_RANDOM)
            .openLoad()
            .timesWaits()
            .answeredBy(Metric.WAIT_P99, Metric.WAIT_P50, Metric.WAIT_P999, Metric.ACQUISITIONS_PER_S)
            .shownAs(
                    work -> String.format(Locale.ROOT, "%,.0f per second", work.at()),
                    work -> String.format(
                            Locale.ROOT,
                            "%,.0f requests arrive in a second, at random, each for one of %d names; waits count from the"
                                    + " arrival, whenever one of %d threads is free",
                            work.at(),
                            OPEN_NAMES,
                            OPEN_THREADS));

    static final List<Experiment> ALL = List.of(WAITERS, NAMES, FRESH, HOLDS, RATE);

    private CurveExperiments() {}

    private static ExperimentBuilder about(String name) {
        return new ExperimentBuilder(name, null).curve();
    }

    private static Stream<Workload> fresh(Experiment it, ComparisonTier tier) {
        return tier == ComparisonTier.CURVES
                ? Stream.of(1, 100, 1_000, 10_000, 100_000)
                        .map(names -> new Workload(it, 1, THREADS, THREADS, Duration.ZERO, Axis.FRESH, names))
                : Stream.of(1, THREADS).map(threads -> new Workload(it, 1, threads, threads, Duration.ZERO));
    }
}
