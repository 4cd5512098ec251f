package io.hasp.evaluation.measure;

/** The servers' own counters. A count that they do not provide is NaN. */
public interface ServerCounters {

    /**
     * Returns the number of requests so far, without those of this query.
     *
     * @return the sum over all servers; of Redis all commands, including those within scripts
     */
    double commands();

    /**
     * Processor time so far.
     *
     * @return nanoseconds, the sum over all servers
     */
    double cpuNanos();

    /**
     * Memory at this moment, what has nothing to do with locks included: of Redis all that it uses, of ZooKeeper the data
     * in its tree, the sum over all servers of Redis and that of one of ZooKeeper, which all have the same.
     *
     * @return bytes
     */
    double bytes();

    /**
     * Returns the traffic with clients so far, in both directions.
     *
     * @return bytes, the sum over all servers
     */
    double trafficBytes();

    /**
     * Returns the bytes that the servers have written to disk so far.
     *
     * @return bytes, the sum over all servers; NaN for servers that write none, as Redis without persistence
     */
    default double diskBytes() {
        return Double.NaN;
    }

    /**
     * Returns all counters, with as few requests as possible: a comparison reads them before and after each slice.
     *
     * @return requests, processor time and bytes; the clients' costs are not included
     */
    default ResourceUsage total() {
        return new ResourceUsage(commands(), Double.NaN, cpuNanos(), trafficBytes(), diskBytes(), Double.NaN);
    }
}
