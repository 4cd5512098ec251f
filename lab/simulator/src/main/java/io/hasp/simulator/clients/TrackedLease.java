package io.hasp.simulator.clients;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.simulator.server.ServerGrant;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A lease that a caller was given, with what the checks find out about it without the engine. */
public final class TrackedLease {
    public final SimulatedCaller caller;
    public final Lease lease;
    public final long token;
    /** The server's grant from which the lease comes. */
    public final ServerGrant granted;

    public final Share share;

    /** The latest end of a fixed lease: its length after it was given, or after an extension was requested. */
    public long endsBy = Long.MAX_VALUE;

    /** Its closed client has left it to its work. */
    public boolean left;

    /** True while it is the present term of a candidate. */
    BooleanSupplier leads = () -> false;

    /** The leases that came with it in one call. */
    List<TrackedLease> together = List.of();

    /** The work that is interrupted when the lease is lost; null for none. */
    @Nullable
    public InterruptibleWork work;

    int observers;
    /** One of the observers is notified on the spot. */
    public boolean observed;
    /** The state that this observer received last, or saw when it was added. */
    @Nullable
    public LeaseState notified;

    public TrackedLease(SimulatedCaller caller, Lease lease, ServerGrant granted) {
        this.caller = caller;
        this.lease = lease;
        this.token = lease.fencingToken();
        this.granted = granted;
        this.share = caller.share;
    }

    /** True if its holder works under it, whatever has become of the lease. The loss of a lock ends those that came with it. */
    public boolean inUse() {
        return caller.tracked == this
                && caller.phase != SimulatedCaller.Phase.RELEASING
                && together.stream().noneMatch(other -> other.state() == LeaseState.LOST);
    }

    /** The state for a check. No other thread comes in between. */
    public LeaseState state() {
        return caller.threads().atAStretch(lease::state);
    }

    /** The remaining time, for a check. */
    public Duration remaining() {
        return caller.threads().atAStretch(lease::remaining);
    }

    /** The end of the lease on the world's clock; empty if it is over, or has an end of its own. */
    public OptionalLong deadline(long now) {
        boolean ends = caller.options().fixedLease().isPresent()
                || caller.options().maxHold().isPresent();
        return ends || !active()
                ? OptionalLong.empty()
                : OptionalLong.of(now + remaining().toNanos());
    }

    /** True if the holder may act on the lease. */
    public boolean active() {
        LeaseState state = state();
        return state == LeaseState.HELD
                || state == LeaseState.SUSPECT
                || caller.threads().atAStretch(leads::getAsBoolean);
    }
}
