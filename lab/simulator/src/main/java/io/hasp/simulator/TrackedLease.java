package io.hasp.simulator;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.spi.Share;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A lease that a caller was given, with what the checks know of it without the engine. */
final class TrackedLease {
    final SimulatedCaller caller;
    final Lease lease;
    final long token;
    /** The server's grant from which the lease comes. */
    final ServerGrant granted;

    /** How much of the lock it is. */
    final Share share;

    /** The latest end of a fixed lease: its length after it was given, or after an extension was asked for. */
    long endsBy = Long.MAX_VALUE;

    /** Whether its closed client has left it to its work. */
    boolean left;

    /** What is interrupted when the lease is lost; null for nothing. */
    @Nullable
    InterruptibleWork work;

    int observers;
    /** Whether one of the observers is told on the spot. */
    boolean observed;
    /** What that observer was told last, or saw when it was added. */
    @Nullable
    LeaseState told;

    TrackedLease(SimulatedCaller caller, Lease lease, ServerGrant granted) {
        this.caller = caller;
        this.lease = lease;
        this.token = lease.fencingToken();
        this.granted = granted;
        this.share = caller.share;
    }

    /** Whether its holder works under it, whatever has become of it. */
    boolean inUse() {
        return caller.tracked == this && caller.phase != SimulatedCaller.Phase.RELEASING;
    }

    /** The state for a check. No other thread comes in between. */
    LeaseState state() {
        return caller.threads().atAStretch(lease::state);
    }

    /** What is left, for a check. */
    Duration remaining() {
        return caller.threads().atAStretch(lease::remaining);
    }

    /** Whether the holder may act on the lease. */
    boolean active() {
        LeaseState state = state();
        return state == LeaseState.HELD || state == LeaseState.SUSPECT;
    }
}
