package io.hasp.evaluation.measure;

/** What the servers of a lock count themselves. A count is NaN if they don't give it. */
public interface ServerCounters {

    /**
     * Requests so far, without those that ask for this.
     *
     * @return the sum over all servers; of Redis all commands, those within scripts included
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
     * What was sent and received so far, by and to clients.
     *
     * @return bytes, the sum over all servers
     */
    double trafficBytes();

    /**
     * All that is counted so far, with as few questions as possible: a comparison asks before and after each slice.
     *
     * @return requests, processor time and bytes; what clients cost is not known here
     */
    default ResourceUsage total() {
        return new ResourceUsage(commands(), Double.NaN, cpuNanos(), trafficBytes(), Double.NaN);
    }
}
