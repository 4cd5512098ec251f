package io.hasp.evaluation.measure;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an experiment is made of. Unless said otherwise: threads that share one client, measured in every round. */
final class ExperimentBuilder {
    final String name;
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
    boolean countsLocks;
    int trials;

    ExperimentBuilder(String name, ComparisonTier least) {
        this.name = name;
        this.least = least;
    }

    ExperimentBuilder work(BiFunction<Experiment, ComparisonTier, Stream<Workload>> workloads) {
        work = workloads;
        return this;
    }

    /** How many clients of a process do it. */
    ExperimentBuilder clients(Function<Workload, Integer> count) {
        clients = count;
        return this;
    }

    /** All threads want the same lock, so what is timed is how long each waits. */
    ExperimentBuilder oneName() {
        oneName = true;
        return timesWaits();
    }

    /** How the lock is taken, and what a lock has to claim for that. */
    ExperimentBuilder takes(Experiment.Modes how, Claimed claim) {
        modes = how;
        needs = claim;
        return this;
    }

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

    ExperimentBuilder countsLocks() {
        countsLocks = true;
        return this;
    }

    ExperimentBuilder measuredBy(Experiment.Procedure how) {
        procedure = how;
        return this;
    }

    /** What it costs is asked in every experiment that is no trial. */
    ExperimentBuilder answeredBy(Metric... figures) {
        metrics = trials > 0
                ? List.of(figures)
                : Stream.concat(Stream.of(figures), Metric.COSTS.stream())
                        .distinct()
                        .toList();
        return this;
    }

    /** In the fewest words that tell a workload from the others, and as a sentence. */
    Experiment shownAs(Function<Workload, String> inShort, Function<Workload, String> inWords) {
        shape = inShort;
        sentence = inWords;
        return new Experiment(this);
    }
}
