package io.hasp.evaluation.measure;

/**
 * What some work cost the servers and the client.
 *
 * @param commands requests that the servers counted; NaN if not measured
 * @param clientCpuNanos processor time of the client's process; NaN if not measured
 * @param serverCpuNanos processor time of all servers together; NaN if not measured
 */
public record ResourceUsage(double commands, double clientCpuNanos, double serverCpuNanos) {
    /** Nothing was measured. */
    public static final ResourceUsage UNKNOWN = new ResourceUsage(Double.NaN, Double.NaN, Double.NaN);
}
