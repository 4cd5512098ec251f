package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Experiments with locks that mostly the same process takes again: the gain of a client that keeps a released lock
 * until another client requests it, and the cost for the other client. They belong to the full comparison only.
 */
final class ReuseExperiments {
    /** Of each thread. */
    private static final int NAMES = 100;

    /** The cost of a lock that its last holder takes again, without competition. */
    static final Experiment STICKY = about("sticky")
            .work((it, tier) ->
                    Stream.of(1, 16).map(threads -> new Workload(it, 1, threads, threads * NAMES, Duration.ZERO)))
            .takesEachFirst()
            .answeredBy(Metric.CYCLE_P50, Metric.CYCLE_P99, Metric.CYCLES_PER_S)
            .shownAs(
                    work -> work.processes() + "×" + work.threads() + (work.threads() == 1 ? " thread" : " threads"),
                    work -> Experiments.crowd(work, "thread")
                            + (work.threads() == 1 ? " locks and unlocks " : " lock and unlock, each ") + NAMES
                            + " names of its own, one after another, again and again");

    /** Two processes contend for the same lock all the time. */
    static final Experiment PING_PONG = about("ping-pong")
            .work((it, tier) -> Stream.of(new Workload(it, 2, 1, 1, Duration.ZERO)))
            .oneName()
            .answeredBy(
                    Metric.ACQUISITIONS_PER_S,
                    Metric.WAIT_P50,
                    Metric.WAIT_P99,
                    Metric.WAIT_MAX,
                    Metric.JAIN,
                    Metric.COMMANDS_PER_ACQUISITION)
            .shownAs(
                    work -> "2 processes",
                    work ->
                            "2 processes with 1 thread each want one name all the time, so that each waits for the other");

    /** Two processes take a lock strictly in turn, so that its last holder never takes it next. */
    static final Experiment ALTERNATING = about("alternating")
            .work((it, tier) -> Stream.of(new Workload(it, 2, 1, 1, Duration.ZERO)))
            .inTurn(new Turns(1, 1, true))
            .answeredBy(Metric.CYCLE_MEAN, Metric.CYCLE_P50, Metric.CYCLE_P99, Metric.COMMANDS_PER_ACQUISITION)
            .shownAs(
                    work -> "2 processes",
                    work -> "2 processes lock and unlock one name strictly in turn; passing the turn is not timed");

    /** The cost of another process's occasional use of some of the locks. */
    static final List<Experiment> FOREIGN =
            Stream.of(1, 10, 50).map(ReuseExperiments::foreign).toList();

    /** The time that another process waits for a lock that its last holder has released and may keep. */
    static final Experiment RECALL = about("recall")
            .work((it, tier) -> Stream.of(new Workload(it, 2, 1, NAMES, Duration.ZERO)))
            .inTurn(new Turns(1, 2, false))
            .timesWaits()
            .answeredBy(Metric.WAIT_P50, Metric.WAIT_P99, Metric.WAIT_MAX)
            .shownAs(
                    work -> "2 processes",
                    work -> "a process waits for a name that another one has just released, after it used it twice");

    static final List<Experiment> ALL = Stream.of(
                    Stream.of(STICKY, PING_PONG, ALTERNATING), FOREIGN.stream(), Stream.of(RECALL))
            .flatMap(each -> each)
            .toList();

    private ReuseExperiments() {}

    private static ExperimentBuilder about(String name) {
        return new ExperimentBuilder(name, ComparisonTier.FULL).aboutReuse();
    }

    private static Experiment foreign(int percent) {
        return about("foreign-" + percent)
                .work((it, tier) -> Stream.of(new Workload(it, 2, 1, NAMES, Duration.ZERO)))
                .inTurn(new Turns(percent / 100.0, 1, true))
                .takesEachFirst()
                .answeredBy(Metric.CYCLE_MEAN, Metric.CYCLE_P50, Metric.CYCLE_P99, Metric.COMMANDS_PER_ACQUISITION)
                .shownAs(
                        work -> "2 processes",
                        work -> "1 thread locks and unlocks " + NAMES + " names, one after another; after " + percent
                                + " % of its cycles another process takes the same name once; cycles of both");
    }
}
