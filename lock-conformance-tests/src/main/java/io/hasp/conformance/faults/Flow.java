package io.hasp.conformance.faults;

import java.time.Duration;

/** What happens to the bytes of one direction of a connection. */
public sealed interface Flow {

    /** They pass at once. */
    Flow PASS = new Pass();
    /** They wait in the proxy, and pass in order once the flow allows it. */
    Flow HOLD = new Hold();
    /** They vanish. A connection that lost bytes is reset when the flow changes: its stream can't be mended. */
    Flow DROP = new Drop();

    /**
     * They pass later.
     *
     * @param by how much later, to the millisecond or so
     * @return a flow that keeps their order
     */
    static Flow delayed(Duration by) {
        return new Delayed(by);
    }

    /** See {@link #PASS}. */
    record Pass() implements Flow {}

    /** See {@link #HOLD}. */
    record Hold() implements Flow {}

    /** See {@link #DROP}. */
    record Drop() implements Flow {}

    /**
     * See {@link #delayed}.
     *
     * @param by how much later
     */
    record Delayed(Duration by) implements Flow {}
}
