package io.hasp.evaluation.measure;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What the threads of one measurement do, over and over: take a lock, hold it, give it back.
 *
 * @param experiment the question it belongs to
 * @param processes how many processes take part
 * @param threads how many threads in each of them
 * @param locks how many different locks they take
 * @param hold how long a thread keeps a lock
 */
public record Workload(Experiment experiment, int processes, int threads, int locks, Duration hold) {
    private static final int WARMERS = 8;

    /** How much of the time of a round this workload gets: a contended lock needs more of it for a steady figure. */
    int weight() {
        return experiment.oneName() ? 2 : 1;
    }

    /**
     * What is done in the round that warms up, one after the other by all. One thread, or one lock between processes, brings too
     * few acquisitions for a compiler to notice: there each process takes several locks at once before. After that the work
     * itself, twice: what was compiled for one lock is given up when the next one uses the same libraries in another way.
     */
    List<Workload> warmUp() {
        return threads == 1 && !experiment.watches()
                ? List.of(new Workload(Experiment.DISTINCT, processes, WARMERS, WARMERS, Duration.ZERO), this, this)
                : List.of(this);
    }

    /**
     * How many slices long all that is: longer where nothing but the lock's own code takes time, and longest where processes take
     * turns, because each of them has to compile it and gets the lock seldom.
     */
    int warmUpSlices() {
        if (threads == 1 && processes > 1) {
            return 12;
        }
        return threads == 1 || (experiment.oneName() && hold.isZero()) ? 4 : 1;
    }

    /**
     * The lock that a thread takes.
     *
     * @param thread its number within the process
     * @return the lock's name
     */
    public String lockName(int thread) {
        return experiment.label() + (experiment.oneName() ? "" : "-" + thread);
    }

    /**
     * How many clients of a process do it.
     *
     * @return one, unless some have to be strangers to each other
     */
    public int clients() {
        return switch (experiment) {
            case HANDOFF -> threads;
            case FAILOVER, FOOTPRINT -> 2;
            case UNCONTENDED, DISTINCT, CONTENDED, WATCHDOG, TAKEOVER, STOPPED -> 1;
        };
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
     * The shape, in the fewest words that tell it from the other workloads of its experiment.
     *
     * @return such as {@code 2×8 threads, hold 1 ms}
     */
    public String shape() {
        return switch (experiment) {
            case UNCONTENDED -> "1 thread";
            case DISTINCT -> threads + " threads";
            case CONTENDED -> processes + "×" + threads + " threads, hold " + holdMillis() + " ms";
            case HANDOFF -> processes + "×" + threads + " clients";
            case WATCHDOG, FOOTPRINT -> String.format(Locale.ROOT, "%,d locks", locks);
            case TAKEOVER, FAILOVER ->
                "lease " + Experiment.LEASE.toSeconds() + " s, session " + Experiment.SESSION.toSeconds() + " s";
            case STOPPED -> threads + " callers, wait " + StoppedServerCallers.WAIT.toSeconds() + " s";
        };
    }

    /**
     * Sends it to another process.
     *
     * @param out where
     * @throws IOException if that fails
     */
    public void write(DataOutputStream out) throws IOException {
        out.writeUTF(experiment.name());
        out.writeInt(processes);
        out.writeInt(threads);
        out.writeInt(locks);
        out.writeLong(hold.toNanos());
    }

    /**
     * Receives one.
     *
     * @param in where from
     * @return what {@link #write} sent
     * @throws IOException if that fails
     */
    public static Workload read(DataInputStream in) throws IOException {
        return new Workload(
                Experiment.valueOf(in.readUTF()),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                Duration.ofNanos(in.readLong()));
    }

    @Override
    public String toString() {
        return experiment.label() + " (" + shape() + ")";
    }
}
