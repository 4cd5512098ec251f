package io.hasp.evaluation.servers;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import java.time.Duration;

/**
 * The distance of a comparison's servers from its clients, the same for all servers.
 *
 * @param oneWay the additional time of each message, to the server and back
 * @param byProxy true if clients connect to a proxy in front of each server, which can delay messages
 */
public record Distance(Duration oneWay, boolean byProxy) {
    /** On the same machine, with nothing between clients and servers. */
    public static final Distance NONE = new Distance(Duration.ZERO, false);

    private static final double NANOS = 1e6;
    private static final double FARTHEST = 400;

    /**
     * By a proxy. To some libraries, servers farther away than a fifth of a second look like an outage.
     *
     * @param millis what a round trip takes longer, with a fraction; 0 for a proxy that passes everything on at once
     * @return the distance
     * @throws IllegalArgumentException if it is negative or too long
     */
    public static Distance ofRoundTrip(double millis) {
        if (!(millis >= 0 && millis <= FARTHEST)) {
            throw new IllegalArgumentException(
                    millis + " ms is no round trip: it has to be from 0 to " + FARTHEST + " ms");
        }
        return new Distance(Duration.ofNanos(Math.round(millis * NANOS / 2)), true);
    }

    /**
     * As {@link #ofRoundTrip(double)}, of a text.
     *
     * @param millis a number
     * @return the distance
     * @throws IllegalArgumentException if it is no number, negative or too long
     */
    public static Distance ofRoundTrip(String millis) {
        double number;
        try {
            number = Double.parseDouble(millis);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + millis + "' is not a number of milliseconds", e);
        }
        return ofRoundTrip(number);
    }

    /**
     * The same in milliseconds.
     *
     * @return what a round trip takes longer
     */
    public double roundTripMillis() {
        return 2 * oneWay.toNanos() / NANOS;
    }

    FaultProxy before(int port) {
        FaultProxy proxy = FaultProxy.before(port);
        delay(proxy);
        return proxy;
    }

    void delay(FaultProxy proxy) {
        proxy.set(oneWay.isZero() ? TrafficPolicy.PASS : TrafficPolicy.delayed(oneWay));
    }

    /** For a heading, after the name of a service. */
    String words() {
        return byProxy ? ", by a proxy" : "";
    }
}
