package io.hasp.simulator;

import io.hasp.Lease;
import io.hasp.LeaseState;
import org.jspecify.annotations.Nullable;

/** A lease that a caller was given, and what is known of it outside of the engine. */
final class TrackedLease {
    final SimulatedCaller caller;
    final Lease lease;
    final long token;
    /** What it stands on. */
    final ServerGrant granted;

    /** When a fixed lease is over, whatever is confirmed: as long after it was asked for, or extended. */
    long endsBy = Long.MAX_VALUE;

    int observers;
    /** Whether one of them is told on the spot. */
    boolean observed;
    /** What that one was told last, or knew when it came. */
    @Nullable
    LeaseState told;

    TrackedLease(SimulatedCaller caller, Lease lease, ServerGrant granted) {
        this.caller = caller;
        this.lease = lease;
        this.token = lease.fencingToken();
        this.granted = granted;
    }

    /** Whether whoever has it may act on it. */
    boolean active() {
        LeaseState state = lease.state();
        return state == LeaseState.HELD || state == LeaseState.SUSPECT;
    }
}
