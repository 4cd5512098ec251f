package io.hasp.evaluation.measure;

/**
 * What some work cost the servers and the client, each by its own account.
 *
 * @param commands requests that the servers counted; NaN if nobody asked
 * @param clientCpuNanos processor time of the client's process; NaN if nobody asked
 * @param serverCpuNanos processor time of all servers together; NaN if nobody asked
 */
public record ResourceUsage(double commands, double clientCpuNanos, double serverCpuNanos) {
    /** Nobody asked. */
    public static final ResourceUsage UNKNOWN = new ResourceUsage(Double.NaN, Double.NaN, Double.NaN);
}
