package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Experiments whose workloads are the points of a curve. They take long, and belong to {@code --curves} only. */
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

    /** The cost of many names used before, with no name used twice. */
    static final Experiment FRESH = about("fresh")
            .work((it, tier) -> Stream.of(1, 100, 1_000, 10_000, 100_000)
                    .map(names -> new Workload(it, 1, THREADS, THREADS, Duration.ZERO, Axis.FRESH, names)))
            .picks(Experiment.Picks.NEVER_TWICE)
            .answeredBy(Metric.CYCLE_MEAN, Metric.CYCLE_P50)
            .shownAs(
                    work -> String.format(Locale.ROOT, "%,.0f before", work.at()),
                    work -> THREADS + " threads lock and unlock names that nobody used before, after "
                            + String.format(Locale.ROOT, "%,.0f", work.at()) + " others");

    /** The time of a turn beyond the hold. */
    static final Experiment HOLDS = about("holds")
            .work((it, tier) -> Stream.of(0, 1, 3, 10, 30, 100)
                    .map(millis -> new Workload(it, 1, THREADS, 1, Duration.ofMillis(millis), Axis.HOLD, millis)))
            .oneName()
            .answeredBy(Metric.TURN)
            .shownAs(
                    work -> "hold " + work.holdMillis() + " ms",
                    work -> THREADS + " threads of one process want one name; hold " + work.holdMillis() + " ms");

    /** The cost of keeping many locks. */
    static final Experiment HELD = about("held")
            .work((it, tier) -> Stream.of(1, 10, 100, 1_000, 10_000, 100_000)
                    .map(locks -> new Workload(it, 1, 1, locks, Duration.ZERO, Axis.HELD, locks)))
            .trials(2)
            .measuredBy(ExperimentRunner::heldLocks)
            .answeredBy(Metric.CLIENT_CPU, Metric.SERVER_CPU)
            .shownAs(
                    Experiments::locks,
                    work -> "1 process holds " + Experiments.locks(work)
                            + " and does nothing else; processor time in each second");

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

    /**
     * The experiment with held locks comes first: servers that remove the remains of other work are busy for a while.
     */
    static final List<Experiment> ALL = List.of(HELD, WAITERS, NAMES, FRESH, HOLDS, RATE);

    private CurveExperiments() {}

    private static ExperimentBuilder about(String name) {
        return new ExperimentBuilder(name, ComparisonTier.FULL).curve();
    }
}
