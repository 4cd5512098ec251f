package io.hasp.evaluation.measure;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A figure drawn from one slice of work. */
public enum Metric {
    /** Half of all lock-and-unlock cycles took no longer. */
    CYCLE_P50("us", true, result -> result.percentileMicros(50)),
    /** 99 of 100 lock-and-unlock cycles took no longer. */
    CYCLE_P99("us", true, result -> result.percentileMicros(99)),
    /** Lock-and-unlock cycles of all threads together. */
    CYCLES_PER_S("1/s", false, SliceResult::perSecond),
    /** How often the one lock was taken, by all threads together. */
    ACQUISITIONS_PER_S("1/s", false, SliceResult::perSecond),
    /** Half of all acquisitions waited no longer. */
    WAIT_P50("ms", true, result -> result.percentileMicros(50) / 1000),
    /** 99 of 100 acquisitions waited no longer. */
    WAIT_P99("ms", true, result -> result.percentileMicros(99) / 1000),
    /** Jain's fairness index over all threads of all processes: 1 if all got the lock equally often, 1/threads if one got it always. */
    JAIN("1", false, SliceResult::jain),
    /** The longest wait of all. */
    WAIT_MAX("ms", true, result -> result.percentileMicros(100) / 1000),
    /** How many requests the servers counted for each acquisition, those within scripts included. */
    COMMANDS_PER_ACQUISITION("1", true, SliceResult::commandsPerAcquisition),
    /** Processor time of a client that holds locks and does nothing else. */
    CLIENT_CPU("ms/s", true, result -> result.cpu(result.usage().clientCpuNanos())),
    /** Processor time of the servers meanwhile. */
    SERVER_CPU("ms/s", true, result -> result.cpu(result.usage().serverCpuNanos())),
    /** From the kill of a holder's process to the moment when a waiter in another process had the lock. */
    TAKEOVER("ms"),
    /** The longest time without an acquisition, after a server was killed. */
    GAP("ms"),
    /** Holds that began while another of the same lock had not ended, after a server was killed. */
    OVERLAPS("1"),
    /** Fencing tokens that were not larger than the one before, after a server was killed. */
    STALE_TOKENS("1"),
    /** Half of the callers of a server that stands still were kept no longer beyond the wait that they asked for. */
    OVERRUN_P50("ms"),
    /** The longest that a caller was kept beyond its wait; what it was until the server went on, if it never came back. */
    OVERRUN_MAX("ms"),
    /** Callers of a server that stands still who were told so by an exception. */
    TOLD_ERROR("1"),
    /** Those who were told that somebody else has the lock, which nobody had. */
    TOLD_BUSY("1"),
    /** Those who were told that they have the lock. */
    TOLD_GRANTED("1"),
    /** Those who were told nothing until the server went on. */
    HUNG("1"),
    /** Heap of the client for each lock that it holds. */
    CLIENT_BYTES_PER_HELD("B"),
    /** Heap of the client for each thread that waits for a lock which another client holds, the thread's own included. */
    CLIENT_BYTES_PER_WAITER("B"),
    /** Memory or data of one server for each lock that is held. */
    SERVER_BYTES_PER_HELD("B"),
    /** Memory or data of one server for each client's thread that waits for a lock which another client holds. */
    SERVER_BYTES_PER_WAITER("B");

    private final String unit;
    private final boolean lowerIsBetter;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<SliceResult> figure;

    /** What a trial finds out by itself; the less the better. */
    Metric(String unit) {
        this.unit = unit;
        this.lowerIsBetter = true;
        this.figure = result -> result.trialResult().of(this);
    }

    Metric(String unit, boolean lowerIsBetter, ToDoubleFunction<SliceResult> figure) {
        this.unit = unit;
        this.lowerIsBetter = lowerIsBetter;
        this.figure = figure;
    }

    /**
     * How results call it.
     *
     * @return the name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * As {@link #label()}, with what the shape of the workload does not tell: how many locks were held.
     *
     * @param workload the work
     * @return the name that measurements of this work have
     */
    public String label(Workload workload) {
        return workload.experiment() == Experiment.WATCHDOG ? label() + "_" + workload.locks() : label();
    }

    /**
     * What it is counted in.
     *
     * @return {@code us}, {@code ms}, {@code 1/s}, {@code ms/s}, {@code B} for bytes, or {@code 1} for a bare number
     */
    public String unit() {
        return unit;
    }

    /**
     * Which way it points.
     *
     * @return true if less is better
     */
    public boolean lowerIsBetter() {
        return lowerIsBetter;
    }

    /**
     * Whether "so many times better" says anything: not of an index that ends at 1, nor of a single longest wait.
     *
     * @return true if ratios are formed of it
     */
    boolean hasRatio() {
        return this != JAIN && this != WAIT_MAX;
    }

    double of(SliceResult result) {
        return figure.applyAsDouble(result);
    }

    /** How many times better a subject did than its reference: above 1 is better, whichever way the figure points. */
    double advantage(double subject, double reference) {
        return lowerIsBetter ? reference / subject : subject / reference;
    }
}
