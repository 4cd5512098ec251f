package io.hasp.evaluation.measure;

/**
 * What some work cost the servers and the clients.
 *
 * @param commands requests that the servers counted; NaN if not measured
 * @param clientCpuNanos processor time of the clients' processes; NaN if not measured
 * @param serverCpuNanos processor time of all servers together; NaN if not measured
 * @param serverBytes what clients and servers sent each other, as the servers count it; NaN if not measured
 * @param allocatedBytes what the clients' threads allocated; NaN if not measured
 */
public record ResourceUsage(
        double commands, double clientCpuNanos, double serverCpuNanos, double serverBytes, double allocatedBytes) {
    /** Nothing was measured. */
    public static final ResourceUsage UNKNOWN =
            new ResourceUsage(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /**
     * What came in between.
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
                allocatedBytes - before.allocatedBytes);
    }

    /**
     * With what the clients tell.
     *
     * @param cpuNanos their processor time
     * @param allocated what they allocated, in bytes
     * @return the same costs of the servers with these
     */
    ResourceUsage ofClients(long cpuNanos, long allocated) {
        return new ResourceUsage(commands, (double) cpuNanos, serverCpuNanos, serverBytes, (double) allocated);
    }
}
