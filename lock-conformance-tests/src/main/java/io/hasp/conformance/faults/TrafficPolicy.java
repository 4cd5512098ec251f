package io.hasp.conformance.faults;

import java.time.Duration;

/** The treatment of the bytes of one direction of a connection. */
public sealed interface TrafficPolicy {

    /** Bytes pass at once. */
    TrafficPolicy PASS = new Pass();
    /** Bytes wait in the proxy, and pass in order once the policy allows it. */
    TrafficPolicy HOLD = new Hold();
    /**
     * Bytes are dropped. A connection that lost bytes is reset when the policy changes, because its stream can't be
     * repaired.
     */
    TrafficPolicy DROP = new Drop();

    /**
     * Returns a policy that delays bytes.
     *
     * @param by the delay, exact to about a tenth of a millisecond on an idle machine
     * @return a policy that keeps their order
     */
    static TrafficPolicy delayed(Duration by) {
        return new Delayed(by);
    }

    /** See {@link #PASS}. */
    record Pass() implements TrafficPolicy {}

    /** See {@link #HOLD}. */
    record Hold() implements TrafficPolicy {}

    /** See {@link #DROP}. */
    record Drop() implements TrafficPolicy {}

    /**
     * See {@link #delayed}.
     *
     * @param by how much later
     */
    record Delayed(Duration by) implements TrafficPolicy {}
}
