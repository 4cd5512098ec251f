package io.hasp.evaluation.measure;

/**
 * The cost of some work for the servers and the clients.
 *
 * @param commands requests that the servers counted; NaN if not measured
 * @param clientCpuNanos processor time of the clients' processes; NaN if not measured
 * @param serverCpuNanos processor time of all servers together; NaN if not measured
 * @param serverBytes traffic between clients and servers, as the servers count it; NaN if not measured
 * @param diskBytes bytes that the servers wrote to disk; NaN if not measured
 * @param allocatedBytes allocations of the clients' threads; NaN if not measured
 */
public record ResourceUsage(
        double commands,
        double clientCpuNanos,
        double serverCpuNanos,
        double serverBytes,
        double diskBytes,
        double allocatedBytes) {
    /** Nothing was measured. */
    public static final ResourceUsage UNKNOWN =
            new ResourceUsage(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /**
     * Returns the usage since an earlier moment.
     *
     * @param before an earlier total
     * @return the differences
     */
    public ResourceUsage since(ResourceUsage before) {
        return new ResourceUsage(
                commands - before.commands,
                clientCpuNanos - before.clientCpuNanos,
                serverCpuNanos - before.serverCpuNanos,
                serverBytes - before.serverBytes,
                diskBytes - before.diskBytes,
                allocatedBytes - before.allocatedBytes);
    }

    /**
     * Returns this usage with the clients' costs.
     *
     * @param cpuNanos the clients' processor time
     * @param allocated the clients' allocations, in bytes; NaN if not measured
     * @return the servers' costs from here, with those of the clients
     */
    public ResourceUsage ofClients(long cpuNanos, double allocated) {
        return new ResourceUsage(commands, (double) cpuNanos, serverCpuNanos, serverBytes, diskBytes, allocated);
    }
}
