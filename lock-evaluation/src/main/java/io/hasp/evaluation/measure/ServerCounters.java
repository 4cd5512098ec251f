package io.hasp.evaluation.measure;

/** What the servers of a lock count themselves. */
public interface ServerCounters {

    /**
     * Requests so far, without those that ask for this.
     *
     * @return the sum over all servers; of Redis all commands, those within scripts included
     */
    long commands();

    /**
     * Processor time so far.
     *
     * @return nanoseconds, the sum over all servers
     */
    long cpuNanos();
}
