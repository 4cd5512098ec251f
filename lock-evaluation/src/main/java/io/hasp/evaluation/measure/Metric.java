package io.hasp.evaluation.measure;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A figure drawn from one slice of work. */
public enum Metric {
    /** Half of all lock-and-unlock cycles took no longer. */
    CYCLE_P50("us", true, tally -> tally.percentileMicros(50)),
    /** 99 of 100 lock-and-unlock cycles took no longer. */
    CYCLE_P99("us", true, tally -> tally.percentileMicros(99)),
    /** Lock-and-unlock cycles of all threads together. */
    CYCLES_PER_S("1/s", false, Tally::perSecond),
    /** How often the one lock was taken, by all threads together. */
    ACQUISITIONS_PER_S("1/s", false, Tally::perSecond),
    /** Half of all acquisitions waited no longer. */
    WAIT_P50("ms", true, tally -> tally.percentileMicros(50) / 1000),
    /** 99 of 100 acquisitions waited no longer. */
    WAIT_P99("ms", true, tally -> tally.percentileMicros(99) / 1000),
    /** Jain's fairness index over all threads of all processes: 1 if all got the lock equally often, 1/threads if one got it always. */
    JAIN("1", false, Tally::jain),
    /** The longest wait of all. */
    WAIT_MAX("ms", true, tally -> tally.percentileMicros(100) / 1000),
    /** How many requests the servers counted for each acquisition, those within scripts included. */
    COMMANDS_PER_ACQUISITION("1", true, Tally::commandsPerAcquisition),
    /** Processor time of a client that holds locks and does nothing else. */
    CLIENT_CPU("ms/s", true, tally -> tally.cpu(tally.usage().clientCpuNanos())),
    /** Processor time of the servers meanwhile. */
    SERVER_CPU("ms/s", true, tally -> tally.cpu(tally.usage().serverCpuNanos()));

    private final String unit;
    private final boolean lowerIsBetter;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<Tally> figure;

    Metric(String unit, boolean lowerIsBetter, ToDoubleFunction<Tally> figure) {
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
     * @return {@code us}, {@code ms}, {@code 1/s}, {@code ms/s}, or {@code 1} for a bare number
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

    double of(Tally tally) {
        return figure.applyAsDouble(tally);
    }

    /** How many times better a subject did than its reference: above 1 is better, whichever way the figure points. */
    double advantage(double subject, double reference) {
        return lowerIsBetter ? reference / subject : subject / reference;
    }
}
