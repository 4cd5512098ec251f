package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.BackendFailure;

/** The outcome of an acquisition: exactly one of these. */
public sealed interface Outcome {
    /** It has the lock. */
    record Acquired(HeldLease lease) implements Outcome {}

    /** Others have it: the latest answer was a refusal. */
    record Contended() implements Outcome {}

    /** The backend failed, or refused to serve. */
    record Failed(BackendFailure failure) implements Outcome {}

    /** The client was closed. */
    record Closed() implements Outcome {}

    /** The caller gave up. */
    record Abandoned() implements Outcome {}

    /** For all of them. */
    Outcome CONTENDED = new Contended();

    /** For all of them. */
    Outcome CLOSED = new Closed();

    /** For all of them. */
    Outcome ABANDONED = new Abandoned();
}
