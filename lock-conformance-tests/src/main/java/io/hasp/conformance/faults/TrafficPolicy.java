package io.hasp.conformance.faults;

import java.time.Duration;

/** The treatment of the bytes of one direction of a connection. */
public sealed interface TrafficPolicy {

    /** They pass at once. */
    TrafficPolicy PASS = new Pass();
    /** They wait in the proxy, and pass in order once the policy allows it. */
    TrafficPolicy HOLD = new Hold();
    /** They vanish. A connection that lost bytes is reset when the policy changes: its stream can't be mended. */
    TrafficPolicy DROP = new Drop();

    /**
     * They pass later.
     *
     * @param by how much later, to a tenth of a millisecond or so on an idle machine
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
