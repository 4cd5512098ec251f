package io.hasp.evaluation.measure;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds an experiment. By default its threads share one client, and every round measures it. */
final class ExperimentBuilder {
    final String name;

    @Nullable
    final ComparisonTier least;

    @Nullable
    BiFunction<Experiment, ComparisonTier, Stream<Workload>> work;

    @Nullable
    Function<Workload, String> shape;

    @Nullable
    Function<Workload, String> sentence;

    List<Metric> metrics = List.of();
    Experiment.Procedure procedure = ExperimentRunner::closedLoop;
    Function<Workload, Integer> clients = workload -> 1;
    Experiment.Modes modes = (thread, cycle) -> LockMode.EXCLUSIVE;

    @Nullable
    Claimed needs;

    Experiment.Picks picks = Experiment.Picks.IN_TURN;
    boolean curve;
    boolean openLoad;
    boolean oneName;
    boolean aboutReuse;
    boolean timesWaits;
    boolean takesEachFirst;

    @Nullable
    Turns turns;

    boolean clientPerThread;
    boolean breaksServers;
    boolean endsByItself;
    int trials;

    /** Belongs to this tier and those above it; to none of the usual ones if it is null. */
    ExperimentBuilder(String name, @Nullable ComparisonTier least) {
        this.name = name;
        this.least = least;
    }

    ExperimentBuilder work(BiFunction<Experiment, ComparisonTier, Stream<Workload>> workloads) {
        work = workloads;
        return this;
    }

    /** Sets the number of working clients per process. */
    ExperimentBuilder clients(Function<Workload, Integer> count) {
        clients = count;
        return this;
    }

    /** All threads want the same lock, so what is timed is how long each waits. */
    ExperimentBuilder oneName() {
        oneName = true;
        return timesWaits();
    }

    /** Sets the mode of the holds, and the claim that a lock needs for it. */
    ExperimentBuilder takes(Experiment.Modes how, Claimed claim) {
        modes = how;
        needs = claim;
        return this;
    }

    /** Several locks at once. */
    ExperimentBuilder together() {
        picks = Experiment.Picks.TOGETHER;
        needs = Claimed.SEVERAL;
        return this;
    }

    /** A name is held by the leader of an election. */
    ExperimentBuilder elects() {
        needs = Claimed.ELECTION;
        return this;
    }

    /** Has points of a curve for {@link ComparisonTier#CURVES}. */
    ExperimentBuilder curve() {
        curve = true;
        return this;
    }

    ExperimentBuilder picks(Experiment.Picks which) {
        picks = which;
        takesEachFirst = which == Experiment.Picks.NEVER_TWICE;
        return this;
    }

    ExperimentBuilder openLoad() {
        openLoad = true;
        return this;
    }

    ExperimentBuilder aboutReuse() {
        aboutReuse = true;
        return this;
    }

    /** Two processes take the same names, and never want one at the same time. */
    ExperimentBuilder inTurn(Turns how) {
        turns = how;
        return measuredBy(ExperimentRunner::inTurn);
    }

    ExperimentBuilder takesEachFirst() {
        takesEachFirst = true;
        return this;
    }

    ExperimentBuilder timesWaits() {
        timesWaits = true;
        return this;
    }

    ExperimentBuilder clientPerThread() {
        clientPerThread = true;
        return clients(Workload::threads);
    }

    ExperimentBuilder trials(int rounds) {
        trials = rounds;
        return this;
    }

    ExperimentBuilder endsByItself() {
        endsByItself = true;
        return this;
    }

    ExperimentBuilder breaksServers() {
        breaksServers = true;
        return this;
    }

    ExperimentBuilder measuredBy(Experiment.Procedure how) {
        procedure = how;
        return this;
    }

    /** Sets the figures. Every experiment that is not a trial also measures the costs. */
    ExperimentBuilder answeredBy(Metric... figures) {
        metrics = trials > 0
                ? List.of(figures)
                : Stream.concat(Stream.of(figures), Metric.COSTS.stream())
                        .distinct()
                        .toList();
        return this;
    }

    /** Sets the shortest text that distinguishes the workloads, and the text as a sentence. */
    Experiment shownAs(Function<Workload, String> inShort, Function<Workload, String> inWords) {
        shape = inShort;
        sentence = inWords;
        return new Experiment(this);
    }
}
