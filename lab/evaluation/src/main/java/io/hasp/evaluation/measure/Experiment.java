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
 * A question to every lock: its name, the work, the figures of the answer, the measurement, and the presentation.
 * Immutable. {@link Experiments} has all of them.
 */
public final class Experiment {
    private final String name;
    private final @Nullable ComparisonTier least;
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
        trials = from.trials;
    }

    /** The procedure of an experiment: one of those that a runner offers. */
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

    /** The choice of a thread's next lock. */
    enum Picks {
        /** One after the other. */
        IN_TURN,
        /** Any. All threads have the same names. */
        AT_RANDOM,
        /** A lock whose name was never used before. */
        NEVER_TWICE,
        /** All at the same time; of the names of several threads, four at random. */
        TOGETHER
    }

    /** The mode of each of a thread's cycles. */
    @FunctionalInterface
    interface Modes {
        LockMode of(int thread, long cycle);
    }

    /**
     * Returns the mode in which a thread takes the lock.
     *
     * @param thread its number within the process
     * @param cycle the number of its earlier cycles
     * @return exclusive, unless the experiment is about shared locks
     */
    public LockMode mode(int thread, long cycle) {
        return modes.of(thread, cycle);
    }

    /**
     * Returns the claim that a lock needs to take part.
     *
     * @return empty if every lock takes part
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
     * Returns true if the experiment belongs to a comparison whose user names no experiments.
     *
     * @param tier of the comparison
     * @return true if it belongs to the tier
     */
    public boolean belongsTo(ComparisonTier tier) {
        return tier == ComparisonTier.CURVES ? curve : least != null && least.compareTo(tier) <= 0;
    }

    Picks picks() {
        return picks;
    }

    /** Returns true if requests arrive on a schedule of their own, not one right after the other. */
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
     * Returns the procedure of the measurement.
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
     * Returns true if the experiment is about locks that mostly the same process takes again, so that clients that keep
     * locks take part.
     *
     * @return true for an experiment about reuse
     */
    public boolean isAboutReuse() {
        return aboutReuse;
    }

    /**
     * Returns true if all threads use the same lock.
     *
     * @return false if each thread has a lock of its own
     */
    public boolean oneName() {
        return oneName;
    }

    /**
     * Returns true if threads wait for locks held by others.
     *
     * @return false if every lock is free when it is requested
     */
    public boolean makesWait() {
        return oneName || turns != null || isTrial();
    }

    /** Returns true if the time of a cycle ends with the acquisition, not with the release. */
    boolean timesWaits() {
        return timesWaits;
    }

    /** Returns true if each thread takes each of its locks once before the measurement. */
    boolean takesEachFirst() {
        return takesEachFirst;
    }

    /** Returns the turns of two processes; empty if they do not alternate. */
    Optional<Turns> turns() {
        return Optional.ofNullable(turns);
    }

    /**
     * Returns true if each thread has a client of its own, like a process.
     *
     * @return false if the threads of a process share one client
     */
    public boolean clientPerThread() {
        return clientPerThread;
    }

    /**
     * Returns true if the experiment breaks its servers, so that it needs servers of its own.
     *
     * @return true if it breaks servers
     */
    public boolean breaksServers() {
        return breaksServers;
    }

    /**
     * Returns true if each round is one trial. Trials are few and have processes of their own; other rounds do as much
     * work as fits into a slice.
     *
     * @return true for trials
     */
    public boolean isTrial() {
        return trials > 0;
    }

    /** Returns true if a trial has a duration of its own, independent of the slice. */
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
