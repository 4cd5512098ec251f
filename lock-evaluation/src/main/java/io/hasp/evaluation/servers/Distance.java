package io.hasp.evaluation.servers;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import java.time.Duration;

/**
 * How far the servers of a comparison are from its clients, all of them alike.
 *
 * @param oneWay what each message takes in addition, to the server and back; zero for none
 */
public record Distance(Duration oneWay) {
    /** On the same machine. */
    public static final Distance NONE = new Distance(Duration.ZERO);

    private static final double NANOS = 1e6;
    private static final double NEAREST = 0.1;
    private static final double FARTHEST = 200;

    /**
     * In milliseconds. A proxy can't tell less than a tenth of one; to some libraries, farther servers look like an outage.
     *
     * @param millis with a fraction
     * @return the distance
     * @throws IllegalArgumentException if it is too short or too long
     */
    public static Distance ofMillis(double millis) {
        if (!(millis >= NEAREST && millis <= FARTHEST)) {
            throw new IllegalArgumentException(
                    millis + " ms is no distance: it has to be from " + NEAREST + " to " + FARTHEST + " ms");
        }
        return new Distance(Duration.ofNanos(Math.round(millis * NANOS)));
    }

    /**
     * Whether there is any.
     *
     * @return false for {@link #NONE}
     */
    public boolean isFar() {
        return !oneWay.isZero();
    }

    FaultProxy before(int port) {
        FaultProxy proxy = FaultProxy.before(port);
        proxy.set(TrafficPolicy.delayed(oneWay));
        return proxy;
    }

    /** For a heading, after the name of a service. */
    String words() {
        String millis = Double.toString(oneWay.toNanos() / NANOS).replaceFirst("\\.0$", "");
        return isFar() ? ", " + millis + " ms away" : "";
    }
}
