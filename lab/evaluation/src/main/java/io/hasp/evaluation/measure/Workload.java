package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The repeated work of the threads of one measurement: take a lock, hold it, release it.
 *
 * @param experiment the question it belongs to
 * @param processes number of processes
 * @param threads threads in each process
 * @param locks number of different locks
 * @param hold the time of each hold
 * @param axis the quantity that differs between the points of its curve
 * @param at the place on that axis. On no curve, it tells workloads apart that differ in nothing but their locks; else 0
 */
public record Workload(
        Experiment experiment, int processes, int threads, int locks, Duration hold, Axis axis, double at) {
    /** The passes of the warm-up over all work. */
    static final int WARM_UP_PASSES = 4;

    private static final int WARMERS = 8;

    /** The number of texts that encode a workload. */
    public static final int ARGUMENTS = 7;

    /**
     * On no curve.
     *
     * @param experiment the question it belongs to
     * @param processes how many processes take part
     * @param threads how many threads in each of them
     * @param locks how many different locks they take
     * @param hold how long a thread keeps a lock
     */
    public Workload(Experiment experiment, int processes, int threads, int locks, Duration hold) {
        this(experiment, processes, threads, locks, hold, Axis.NONE, 0);
    }

    /**
     * Locks that one process holds.
     *
     * @param experiment the question it belongs to
     * @param locks how many
     * @return a point of the curve over held locks
     */
    public static Workload holding(Experiment experiment, int locks) {
        return new Workload(experiment, 1, 1, locks, Duration.ZERO, Axis.HELD, locks);
    }

    /**
     * Returns true for a point of the experiment's own curve, not of one over distances.
     *
     * @return false for work that is done once
     */
    public boolean isPoint() {
        return axis != Axis.NONE && axis != Axis.ROUND_TRIP;
    }

    /**
     * Returns the length of its slices. A contended lock needs more time for a steady figure, and most if the
     * contenders are in other processes, or if a writer excludes many readers. If holds take most of the time, or a
     * round has several slices, the figure is steady.
     */
    int weight() {
        if (slices() > 1) {
            return 1;
        }
        if (processes > 1 || experiment == Experiments.READ_MOSTLY) {
            return 3;
        }
        return experiment.oneName() && hold.isZero() ? 2 : 1;
    }

    /**
     * Returns the number of its slices per round. The speed of one thread depends on its place in the scheduler, and
     * the speed of one lock for several processes on the process that runs. Both vary more between slices than within
     * one.
     */
    int slices() {
        if (threads > 1 || experiment.isTrial() || isPoint()) {
            return 1;
        }
        return processes > 1 ? 4 : 2;
    }

    /**
     * Returns the work of a pass of the warm-up. With one thread per process, acquisitions are too few for the
     * compiler. There each process first takes several locks at once, twice if others contend for the same ones: the
     * code for waiting has to be compiled, too. A point of a curve has only one pass, and does its own work in it.
     *
     * @param pass from 0
     */
    Workload warmUp(int pass) {
        return pass < (processes > 1 ? 2 : 1) && threads == 1 && !experiment.isTrial() && !isPoint()
                ? new Workload(Experiments.DISTINCT, processes, WARMERS, WARMERS, Duration.ZERO)
                : this;
    }

    /** In how many passes of the warm-up it takes part: the points of a curve are many, and do the same work over and over. */
    int warmUpPasses() {
        return isPoint() ? 1 : WARM_UP_PASSES;
    }

    /**
     * Returns the number of slices of all warm-up passes together. There are more if nothing but the lock's own code
     * takes time, and most if processes alternate, because each has to compile that code and seldom gets the lock.
     */
    int warmUpSlices() {
        if (threads == 1) {
            return processes > 1 ? 36 : 4;
        }
        if (!hold.isZero()) {
            return 1;
        }
        if (!experiment.oneName()) {
            return 4;
        }
        return experiment.needs().isPresent() ? 8 : 6;
    }

    /**
     * The lock that a thread takes. Each point of a curve has its own: a lock that failed at one may stay taken for a while.
     *
     * @param thread its number within the process
     * @return the lock's name
     */
    public String lockName(int thread) {
        if (!experiment.oneName()) {
            return experiment.name() + "-" + thread;
        }
        return experiment.name() + (isPoint() ? "-" + at : "");
    }

    /**
     * The locks that a thread takes, one after the other.
     *
     * @param thread its number within the process
     * @return one, unless there are several for each thread
     */
    List<String> lockNames(int thread) {
        boolean sameForAll =
                experiment.picks() == Experiment.Picks.AT_RANDOM || experiment.picks() == Experiment.Picks.TOGETHER;
        int each = sameForAll ? locks : locks / threads;
        return each > 1
                ? IntStream.range(0, each)
                        .mapToObj(lock -> (sameForAll ? experiment.name() : lockName(thread)) + "-" + lock)
                        .toList()
                : List.of(lockName(thread));
    }

    /**
     * The same work with servers farther away.
     *
     * @param roundTripMillis what a round trip takes longer
     * @return a point of a curve
     */
    public Workload farther(double roundTripMillis) {
        return new Workload(experiment, processes, threads, locks, hold, Axis.ROUND_TRIP, roundTripMillis);
    }

    /**
     * Returns the number of working clients per process.
     *
     * @return one, unless some have to be independent of each other
     */
    public int clients() {
        return experiment.clients(this);
    }

    /**
     * The hold time as results state it.
     *
     * @return in milliseconds
     */
    public long holdMillis() {
        return hold.toMillis();
    }

    /**
     * Returns the shape: the shortest text that distinguishes this workload from the others of its experiment.
     *
     * @return such as {@code 2×8 threads, hold 1 ms}
     */
    public String shape() {
        return experiment.shape(this) + (axis == Axis.ROUND_TRIP ? ", +" + number(at) + " ms" : "");
    }

    /**
     * The work in words, without the name of the experiment.
     *
     * @return such as {@code 16 threads lock and unlock, each a name of its own}
     */
    public String sentence() {
        return experiment.sentence(this)
                + (axis == Axis.ROUND_TRIP ? "; each round trip takes " + number(at) + " ms longer" : "");
    }

    private static String number(double value) {
        return Double.toString(value).replaceFirst("\\.0$", "");
    }

    /**
     * As arguments of a command to another process.
     *
     * @return one text for each component
     */
    public List<String> toArguments() {
        return List.of(
                experiment.name(),
                Integer.toString(processes),
                Integer.toString(threads),
                Integer.toString(locks),
                Long.toString(hold.toNanos()),
                axis.name(),
                Double.toString(at));
    }

    /**
     * From the arguments of a command.
     *
     * @param arguments as {@link #toArguments} made them
     * @return the same workload
     */
    public static Workload ofArguments(List<String> arguments) {
        return new Workload(
                Experiments.of(arguments.get(0)),
                Integer.parseInt(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Integer.parseInt(arguments.get(3)),
                Duration.ofNanos(Long.parseLong(arguments.get(4))),
                Axis.valueOf(arguments.get(5)),
                Double.parseDouble(arguments.get(6)));
    }

    @Override
    public String toString() {
        return experiment.name() + " (" + shape() + ")";
    }
}
