package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What may happen to a lock name within one client. Moments are in the engine's nanoseconds. */
public sealed interface Event {
    /** Somebody wants the lock. */
    record Joined(Contender contender) implements Event {}

    /** The caller sleeps until the outcome is there. */
    record Slept(Contender contender) implements Event {}

    /** The caller does not want it any more (interrupt, cancellation), or can't go on. */
    record GaveUp(Contender contender, Outcome outcome) implements Event {}

    /**
     * A request for the lock was answered or failed: one of the two.
     *
     * @param request which one of its contender
     */
    record Answered(
            Contender contender,
            int request,
            long sentAt,
            @Nullable Attempt attempt,
            @Nullable BackendFailure failure) implements Event {}

    /** A request for the lock was not sent, since its caller has gone. */
    record Dropped(Contender contender) implements Event {}

    /** The backend tells about a holder without being asked. */
    record Signalled(Contender contender, HolderId holder, Signal signal) implements Event {}

    /** Time has passed. */
    record TimePassed(Timed subject) implements Event {}

    /** The holder gives its lease back. */
    record GivenBack(HeldLease lease, ReleaseCall call) implements Event {}

    /** The release of a lease was answered or failed: one of the two. */
    record ReleaseAnswered(
            HeldLease lease,
            @Nullable Released found,
            @Nullable BackendFailure failure) implements Event {}

    /** An owed release was answered, or failed. */
    record OwedAnswered(OwedRelease owed, @Nullable BackendFailure failure) implements Event {}

    /** A renewal was answered. */
    record Renewed(HeldLease lease, long sentAt, Renewal renewal) implements Event {}

    /** The holder of a share keeps only a part of it. */
    record Lowering(HeldLease lease, LowerCall call) implements Event {}

    /** A fixed lease is going to be asked for longer. */
    record Extending(HeldLease lease, Duration asked) implements Event {}

    /** A fixed lease was confirmed for longer, in nanoseconds from {@code sentAt}. The backend had gone away or come back so often before. */
    record Extended(HeldLease lease, long sentAt, long asked, Renewal.Renewed renewed, int interruptions)
            implements Event {}

    /** The observers of a lease were told of its end. */
    record Told(HeldLease lease) implements Event {}

    /** Tokens of the server that are not above this one end with their lease. */
    record FloorRaised(long serverToken) implements Event {}

    /** A grant is kept no longer: its client wants the name as another kind. */
    record Unwatched(KeptGrant kept) implements Event {}

    /** The client closes: nobody waits any more, and leases in use stay. */
    record Closing(RequestExecutor executor) implements Event {}

    /** The client waits no longer for the work under its leases, and leaves them to it. */
    record Leaving() implements Event {}

    /** The client closes, and gives back every lease, whether or not it is in use. */
    record GivingEverythingBack(RequestExecutor executor) implements Event {}

    /** The client has failed: its leases are lost. The last event. */
    record ClientFailed(String why) implements Event {}

    /** The client is closed: what is owed ends with its lease or session. */
    record Closed() implements Event {}
}
