package io.hasp.evaluation.measure;

import static java.util.Objects.requireNonNull;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question put to every lock: its name, the work, the figures that answer it, how it is measured, and how it is shown.
 * Immutable. {@link Experiments} has all of them, one of each.
 */
public final class Experiment {
    private final String name;
    private final ComparisonTier least;
    private final BiFunction<Experiment, ComparisonTier, Stream<Workload>> work;
    private final List<Metric> metrics;
    private final Procedure procedure;
    private final Function<Workload, String> shape;
    private final Function<Workload, String> sentence;
    private final Function<Workload, Integer> clients;
    private final Modes modes;
    private final @Nullable Claimed needs;
    private final boolean oneName;
    private final boolean curve;
    private final boolean openLoad;
    private final Picks picks;
    private final boolean aboutReuse;
    private final boolean timesWaits;
    private final boolean takesEachFirst;
    private final @Nullable Turns turns;
    private final boolean clientPerThread;
    private final boolean breaksServers;
    private final boolean endsByItself;
    private final boolean countsLocks;
    private final int trials;

    Experiment(ExperimentBuilder from) {
        name = from.name;
        least = from.least;
        work = requireNonNull(from.work);
        metrics = from.metrics;
        procedure = from.procedure;
        shape = requireNonNull(from.shape);
        sentence = requireNonNull(from.sentence);
        clients = from.clients;
        modes = from.modes;
        needs = from.needs;
        oneName = from.oneName;
        curve = from.curve;
        openLoad = from.openLoad;
        picks = from.picks;
        aboutReuse = from.aboutReuse;
        timesWaits = from.timesWaits;
        takesEachFirst = from.takesEachFirst;
        turns = from.turns;
        clientPerThread = from.clientPerThread;
        breaksServers = from.breaksServers;
        endsByItself = from.endsByItself;
        countsLocks = from.countsLocks;
        trials = from.trials;
    }

    /** How an experiment is measured: one of the ways that a runner offers. */
    @FunctionalInterface
    public interface Procedure {
        /**
         * Measures one slice.
         *
         * @param runner does it, on one subject
         * @param workload the work
         * @param slice for how long
         * @return what was found
         * @throws ExecutionException if the lock threw or a thread did not return in time
         * @throws InterruptedException if the thread was interrupted
         */
        SliceResult measure(ExperimentRunner runner, Workload workload, Duration slice)
                throws ExecutionException, InterruptedException;
    }

    /** Which of its locks a thread takes next. */
    enum Picks {
        /** One after the other. */
        IN_TURN,
        /** Any. All threads have the same names. */
        AT_RANDOM,
        /** One whose name nobody used before. */
        NEVER_TWICE
    }

    /** How a thread takes the lock in one of its cycles. */
    @FunctionalInterface
    interface Modes {
        LockMode of(int thread, long cycle);
    }

    /**
     * How a thread takes the lock.
     *
     * @param thread its number within the process
     * @param cycle how often it has done so before
     * @return alone, unless the experiment is about locks that several share
     */
    public LockMode mode(int thread, long cycle) {
        return modes.of(thread, cycle);
    }

    /**
     * What a lock has to claim to take part.
     *
     * @return empty if every lock does
     */
    public Optional<Claimed> needs() {
        return Optional.ofNullable(needs);
    }

    /**
     * Its name on the command line and in the results.
     *
     * @return a word in lower case
     */
    public String name() {
        return name;
    }

    /**
     * Whether it belongs to a comparison, unless the user says which experiments do.
     *
     * @param tier of the comparison
     * @return true if so
     */
    public boolean belongsTo(ComparisonTier tier) {
        return !curve && least.compareTo(tier) <= 0;
    }

    /**
     * Whether its workloads are the points of a curve.
     *
     * @return true if it belongs to no comparison unless it is asked for
     */
    public boolean isCurve() {
        return curve;
    }

    Picks picks() {
        return picks;
    }

    /** Whether requests arrive on a schedule of their own, instead of one right after the other. */
    boolean isOpenLoad() {
        return openLoad;
    }

    /**
     * The figures that answer it, the most important one first.
     *
     * @return at least one metric
     */
    public List<Metric> metrics() {
        return metrics;
    }

    /**
     * The work to do.
     *
     * @param tier of the comparison
     * @return one workload for each shape and hold time; never none
     */
    public List<Workload> workloads(ComparisonTier tier) {
        return work.apply(this, tier).toList();
    }

    /**
     * How it is measured.
     *
     * @return the procedure, the same for all subjects
     */
    public Procedure procedure() {
        return procedure;
    }

    String shape(Workload workload) {
        return shape.apply(workload);
    }

    String sentence(Workload workload) {
        return sentence.apply(workload);
    }

    int clients(Workload workload) {
        return clients.apply(workload);
    }

    /**
     * Whether it is about locks that mostly the same process takes again, so that those that are kept take part.
     *
     * @return true if so
     */
    public boolean isAboutReuse() {
        return aboutReuse;
    }

    /**
     * Whether all threads want the same lock.
     *
     * @return false if each has one of its own
     */
    public boolean oneName() {
        return oneName;
    }

    /**
     * Whether somebody has to wait for a lock that another one holds.
     *
     * @return false if every name is free when it is asked for
     */
    public boolean makesWait() {
        return oneName || turns != null || isTrial();
    }

    /** Whether the time of a cycle ends when the lock is acquired, and not when it was released. */
    boolean timesWaits() {
        return timesWaits;
    }

    /** Whether each thread takes each of its locks once before what is measured. */
    boolean takesEachFirst() {
        return takesEachFirst;
    }

    /** How two processes take turns; empty if they don't. */
    Optional<Turns> turns() {
        return Optional.ofNullable(turns);
    }

    /**
     * Whether each thread has a client of its own, as if it were a process.
     *
     * @return false if the threads of a process share one
     */
    public boolean clientPerThread() {
        return clientPerThread;
    }

    /**
     * Whether it breaks the servers that it measures, so that it has to have its own.
     *
     * @return true if so
     */
    public boolean breaksServers() {
        return breaksServers;
    }

    /** Whether its figures are about a number of locks that the shape does not tell, so that their names have to. */
    boolean countsLocks() {
        return countsLocks;
    }

    /**
     * Whether each round is one trial, of which there are few, with processes of its own, instead of as much work as fits into a
     * slice.
     *
     * @return true if so
     */
    public boolean isTrial() {
        return trials > 0;
    }

    /** Whether a trial has a duration of its own, whatever the slice is. */
    boolean endsByItself() {
        return endsByItself;
    }

    /** In how many rounds it is measured, none of them a warm-up; zero if in all. */
    int trials() {
        return trials;
    }

    @Override
    public String toString() {
        return name;
    }
}
