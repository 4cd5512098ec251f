package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.FairnessIndex;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A figure drawn from one slice of work. */
public enum Metric {
    /** Half of all lock-and-unlock cycles took no longer. */
    CYCLE_P50("cycle p50, µs", "median lock-and-unlock", "us", true, result -> result.percentileMicros(50)),
    /** 99 of 100 lock-and-unlock cycles took no longer. */
    CYCLE_P99("cycle p99, µs", "99th percentile of lock-and-unlock", "us", true, result -> result.percentileMicros(99)),
    /**
     * The mean time of a lock-and-unlock cycle. If few cycles are expensive and most are not, the percentiles hide one
     * or the other.
     */
    CYCLE_MEAN("cycle mean, µs", "mean lock-and-unlock", "us", true, SliceResult::meanMicros),
    /** Lock-and-unlock cycles of all threads together. */
    CYCLES_PER_S("cycles/s", "locks and unlocks", "1/s", false, SliceResult::perSecond),
    /** Acquisitions of the one lock, by all threads together. */
    ACQUISITIONS_PER_S("holds/s", "acquisitions", "1/s", false, SliceResult::perSecond),
    /** Half of all acquisitions waited no longer. */
    WAIT_P50("p50, ms", "median wait", "ms", true, result -> result.percentileMicros(50) / 1000),
    /** 99 of 100 acquisitions waited no longer. */
    WAIT_P99("p99, ms", "99th percentile of waits", "ms", true, result -> result.percentileMicros(99) / 1000),
    /** 999 of 1,000 acquisitions waited no longer. */
    WAIT_P999("p99.9, ms", "99.9th percentile of waits", "ms", true, result -> result.percentileMicros(99.9) / 1000),
    /** The median time without a holder while the lock moves from one client to another. */
    HANDOFF_P50(
            "handoff p50, µs",
            "median time from the end of one client's hold to the beginning of the next client's",
            "us",
            true,
            result -> result.handoffMicros(50)),
    /** The time from one holder to the next, including the hold. */
    TURN("turn, ms", "time from one holder to the next", "ms", true, result -> 1000 / result.perSecond()),
    /**
     * Jain's fairness index over all threads of all processes: 1 if all got the lock equally often, 1/threads if one
     * always got it.
     */
    JAIN(
            "jain",
            "fairness between threads (Jain's index; 1: all got it equally often)",
            "1",
            false,
            result -> FairnessIndex.jain(result.perThread())),
    /** The longest wait of all. */
    WAIT_MAX("max, ms", "longest wait", "ms", true, result -> result.percentileMicros(100) / 1000),
    /** Requests that the servers counted per acquisition, including those within scripts. */
    COMMANDS_PER_ACQUISITION(
            "commands each",
            "commands that the servers executed for each acquisition, also within scripts",
            "1",
            true,
            result -> result.each(result.usage().commands())),
    /** Bytes between clients and servers per acquisition. */
    BYTES_PER_ACQUISITION(
            "bytes each",
            "bytes on the wire",
            "B/op",
            true,
            result -> result.each(result.usage().serverBytes())),
    /** Bytes that a client's threads allocate per acquisition. */
    ALLOCATED_PER_ACQUISITION(
            "allocated each, B",
            "bytes that the client allocates",
            "B/op",
            true,
            result -> result.each(result.usage().allocatedBytes())),
    /** Processor time of the clients for each acquisition. */
    CLIENT_CPU_PER_ACQUISITION(
            "client cpu each, µs",
            "processor time of the clients",
            "us/op",
            true,
            result -> result.each(result.usage().clientCpuNanos()) / 1000),
    /** Processor time of all servers together for each acquisition. */
    SERVER_CPU_PER_ACQUISITION(
            "server cpu each, µs",
            "processor time of the servers",
            "us/op",
            true,
            result -> result.each(result.usage().serverCpuNanos()) / 1000),
    /** Processor time of a client that holds locks and does nothing else. */
    CLIENT_CPU(
            "client cpu, ms/s",
            "client cpu",
            "ms/s",
            true,
            result -> result.cpu(result.usage().clientCpuNanos())),
    /** Processor time of the servers during the slice. */
    SERVER_CPU(
            "server cpu, ms/s",
            "server cpu",
            "ms/s",
            true,
            result -> result.cpu(result.usage().serverCpuNanos())),
    /** Requests that the servers counted during the slice, including those within scripts. */
    SERVER_COMMANDS_PER_S(
            "commands/s",
            "commands that the servers executed, also within scripts",
            "1/s",
            true,
            result -> result.ofEachSecond(result.usage().commands())),
    /** Bytes that the servers wrote to disk during the slice. */
    SERVER_DISK_BYTES_PER_S(
            "disk, B/s",
            "bytes that the servers wrote to disk",
            "B/s",
            true,
            result -> result.ofEachSecond(result.usage().diskBytes())),
    /** From the kill of a holder's process to the moment when a waiter in another process had the lock. */
    TAKEOVER("takeover, ms", "from the kill of the holder to the next holder", "ms"),
    /** From the resignation of a leader, in another client of the same process, to the moment when the next one led. */
    RESIGNATION("resignation, ms", "from the resignation of the leader to the next leader", "ms"),
    /** The longest time without an acquisition, after a server was killed. */
    GAP("gap, ms", "longest time without an acquisition", "ms"),
    /** Holds that began while another of the same lock had not ended, after a server was killed. */
    OVERLAPS("overlaps", "holds that overlapped another", "1"),
    /** Fencing tokens that were not larger than the one before, after a server was killed. */
    STALE_TOKENS("stale tokens", "fencing tokens that did not grow", "1"),
    /** Half of the callers of stopped servers were kept no longer than this beyond their wait. */
    OVERRUN_P50("overrun p50, ms", "median time beyond the wait that was asked for", "ms"),
    /**
     * The longest time that a caller was kept beyond its wait; for a caller that hung, the time until the servers
     * resumed.
     */
    OVERRUN_MAX("overrun max, ms", "longest time beyond the wait that was asked for", "ms"),
    /** Callers of stopped servers that got an exception. */
    TOLD_ERROR("told error", "callers told of the outage", "1"),
    /** Callers that got the answer that another client has the lock, although it was free. */
    TOLD_BUSY("told busy", "callers told that another holds the lock, which was free", "1"),
    /** Callers that got the lock. */
    TOLD_GRANTED("told granted", "callers told that they have the lock", "1"),
    /** Callers without an answer until the servers resumed. */
    HUNG("hung", "callers told nothing", "1"),
    /** Heap of the client for each lock that it holds. */
    CLIENT_BYTES_PER_HELD("client bytes per held, B", "memory of the client for each lock held", "B"),
    /** Heap of the client for each thread that waits for a lock which another client holds, the thread's own included. */
    CLIENT_BYTES_PER_WAITER("client bytes per waiter, B", "memory of the client for each waiter", "B"),
    /** Memory or data of one server for each lock that is held. */
    SERVER_BYTES_PER_HELD("server bytes per held, B", "memory of a server for each lock held", "B"),
    /** Memory or data of one server for each client's thread that waits for a lock which another client holds. */
    SERVER_BYTES_PER_WAITER("server bytes per waiter, B", "memory of a server for each waiter", "B");

    /** The costs of an acquisition, measured for any work. */
    static final List<Metric> COSTS = List.of(
            COMMANDS_PER_ACQUISITION,
            BYTES_PER_ACQUISITION,
            CLIENT_CPU_PER_ACQUISITION,
            SERVER_CPU_PER_ACQUISITION,
            ALLOCATED_PER_ACQUISITION);

    private static final int FOR_A_PERCENTILE = 1_000;

    private final String heading;
    private final String title;
    private final String unit;
    private final boolean lowerIsBetter;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<SliceResult> figure;

    /** A figure of a trial; less is better. */
    Metric(String heading, String title, String unit) {
        this.heading = heading;
        this.title = title;
        this.unit = unit;
        this.lowerIsBetter = true;
        this.figure = result -> result.trialResult().of(this);
    }

    Metric(String heading, String title, String unit, boolean lowerIsBetter, ToDoubleFunction<SliceResult> figure) {
        this.heading = heading;
        this.title = title;
        this.unit = unit;
        this.lowerIsBetter = lowerIsBetter;
        this.figure = figure;
    }

    /**
     * Returns the metric's name in results.
     *
     * @return the name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The figure in words, as charts and sentences show it.
     *
     * @return words in lower case, without the unit
     */
    public String title() {
        return title;
    }

    /**
     * The figure in the fewest words, as tables of the terminal show it.
     *
     * @return a column's heading, with the unit where it has one
     */
    public String heading() {
        return heading;
    }

    /**
     * Returns the unit.
     *
     * @return {@code us}, {@code ms}, {@code 1/s}, {@code ms/s}, {@code B} for bytes, {@code B/s}, or {@code 1} for a bare number
     */
    public String unit() {
        return unit;
    }

    /**
     * Returns true if a lower figure is better.
     *
     * @return true if less is better
     */
    public boolean lowerIsBetter() {
        return lowerIsBetter;
    }

    /**
     * Returns true if a ratio is meaningful: it is not for an index that ends at 1, nor for a single longest wait.
     *
     * @return true if ratios are computed
     */
    boolean hasRatio() {
        return this != JAIN && this != WAIT_MAX;
    }

    /**
     * Returns true if the terminal shows the metric. It has no room for all costs of an acquisition.
     *
     * @return false if only the page and the files have it
     */
    public boolean isForTheTerminal() {
        return this == COMMANDS_PER_ACQUISITION || !COSTS.contains(this);
    }

    /**
     * Returns the number of observations that the figure needs. A percentile of fewer depends on a few values; a median
     * of rounds' medians does not.
     *
     * @return 0 if one is enough
     */
    int fewestObservations() {
        return switch (this) {
            case CYCLE_P99, WAIT_P99 -> FOR_A_PERCENTILE;
            case WAIT_P999 -> 10 * FOR_A_PERCENTILE;
            default -> 0;
        };
    }

    double of(SliceResult result) {
        return figure.applyAsDouble(result);
    }
}
