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
    WATCHDOG(Extent.FULL),
    /** How long is a lock lost whose holder was killed? */
    TAKEOVER(Extent.FULL),
    /** What happens to locks when the server that decides is killed? */
    FAILOVER(Extent.FULL),
    /** What do callers of a server that stands still get to know, and when? */
    STOPPED(Extent.FULL),
    /** How much memory do held locks and waiters take? */
    FOOTPRINT(Extent.FULL);

    /** Of the clients in {@link #TAKEOVER} and {@link #FAILOVER}: what Redis keeps the lock of a silent client for. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    /** The same of ZooKeeper, where four seconds are the least that a server in its usual configuration allows. */
    public static final Duration SESSION = Duration.ofSeconds(4);

    /** Registries that share local locks between names (Spring's) refuse a thread some names while another holds others. */
    private static final int HOLDERS = 1;

    private static final int CLIENTS = 2;
    private static final int CALLERS = 4;
    private static final int HELD = 2_000;

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
            case TAKEOVER -> List.of(Metric.TAKEOVER);
            case FAILOVER -> List.of(Metric.GAP, Metric.OVERLAPS, Metric.STALE_TOKENS);
            case STOPPED ->
                List.of(
                        Metric.OVERRUN_P50,
                        Metric.OVERRUN_MAX,
                        Metric.TOLD_ERROR,
                        Metric.TOLD_BUSY,
                        Metric.TOLD_GRANTED,
                        Metric.HUNG);
            case FOOTPRINT ->
                List.of(
                        Metric.CLIENT_BYTES_PER_HELD,
                        Metric.CLIENT_BYTES_PER_WAITER,
                        Metric.SERVER_BYTES_PER_HELD,
                        Metric.SERVER_BYTES_PER_WAITER);
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
            case HANDOFF -> handedOn(extent);
            case WATCHDOG ->
                Stream.of(1_000, 10_000).map(locks -> new Workload(this, 1, HOLDERS, locks, Duration.ZERO));
            case TAKEOVER -> Stream.of(new Workload(this, 2, 1, 1, Duration.ZERO));
            case FAILOVER -> Stream.of(new Workload(this, 1, CLIENTS, 2, Duration.ZERO));
            case STOPPED -> Stream.of(new Workload(this, 1, CALLERS, CALLERS, Duration.ZERO));
            case FOOTPRINT -> Stream.of(new Workload(this, 1, HOLDERS, HELD, Duration.ZERO));
        };
        return all.toList();
    }

    /** More than eight processes are too many for a small machine: there each has several clients, strangers to each other. */
    private Stream<Workload> handedOn(Extent extent) {
        return extent == Extent.FULL
                ? Stream.concat(
                        Stream.of(2, 4, 8).flatMap(processes -> oneName(processes, 1, 0)),
                        Stream.of(4, 8, 16).flatMap(clients -> oneName(4, clients, 0)))
                : oneName(4, 1, 0);
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

    /**
     * Whether each thread has a client of its own, as if it were a process.
     *
     * @return false if the threads of a process share one
     */
    public boolean clientPerThread() {
        return this == HANDOFF;
    }

    /**
     * Whether it breaks the servers that it measures, so that it has to have its own.
     *
     * @return true if so
     */
    public boolean breaksServers() {
        return this == FAILOVER || this == STOPPED;
    }

    /**
     * Whether it watches something happen, in few rounds, instead of doing as much as can be done in the time it gets.
     */
    boolean watches() {
        return trials() > 0;
    }

    /** Whether a trial takes the time it takes, however long there is to watch. */
    boolean endsByItself() {
        return this == TAKEOVER || this == FOOTPRINT;
    }

    /** In how many rounds it is measured, none of them a warm-up; zero if in all. */
    int trials() {
        return switch (this) {
            case UNCONTENDED, DISTINCT, CONTENDED, HANDOFF -> 0;
            case TAKEOVER -> 6;
            case WATCHDOG, FAILOVER, STOPPED -> 3;
            case FOOTPRINT -> 2;
        };
    }
}
