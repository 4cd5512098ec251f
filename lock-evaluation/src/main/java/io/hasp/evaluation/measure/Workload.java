package io.hasp.evaluation.measure;

import java.time.Duration;

/**
 * What the threads of one measurement do, over and over: take a lock, hold it, give it back.
 *
 * @param experiment the question it belongs to
 * @param processes how many processes take part
 * @param threads how many threads in each of them
 * @param hold how long a thread keeps the lock
 */
public record Workload(Experiment experiment, int processes, int threads, Duration hold) {

    /** How much of the time of a round this workload gets: a contended lock needs more of it for a steady figure. */
    int weight() {
        return experiment.oneName() ? 2 : 1;
    }

    /** The lock that a thread takes. */
    String lockName(int thread) {
        return experiment.label() + (experiment.oneName() ? "" : "-" + thread);
    }

    /**
     * The hold time as results state it.
     *
     * @return in milliseconds
     */
    public long holdMillis() {
        return hold.toMillis();
    }

    @Override
    public String toString() {
        return experiment.label() + (experiment.oneName() ? " (hold " + holdMillis() + " ms)" : "");
    }
}
