package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import org.jspecify.annotations.Nullable;

/** An action that a machine requests. The driver starts effects in the order of their events. */
public sealed interface Effect {
    /** Asks the server for the lock, on the executor of the contender, with the request of that number. */
    record Acquire(Contender contender, Claim claim, int request) implements Effect {}

    /** Gives one grant back and asks in its place, on the executor of the release. */
    record Transfer(HeldLease from, Contender contender, Claim claim, int request) implements Effect {}

    /** Releases a lease on the server. */
    record Release(HeldLease lease) implements Effect {}

    /** Releases a holder id without a contender or a lease. */
    record Withdraw(PendingRelease release) implements Effect {}

    /** Renews a lease, with others if possible. */
    record Renew(HeldLease lease) implements Effect {}

    /** Sets the alarm of a subject anew. */
    record Wake(Timed subject) implements Effect {}

    /** The contender has its outcome. */
    record Complete(Contender contender, Outcome outcome) implements Effect {}

    /** A release is over. */
    record CompleteRelease(ReleaseCall call, ReleaseCall.Found found) implements Effect {}

    /** A release was not confirmed. */
    record FailRelease(ReleaseCall call, BackendFailure failure) implements Effect {}

    /** A lease was lowered: to the one that began in its place, or to nothing, because it was over. */
    record CompleteLowering(LowerCall call, @Nullable HeldLease lease) implements Effect {}

    /** Notifies the observers of a lease; if {@code awaited}, an event follows afterwards. */
    record Notify(HeldLease lease, boolean awaited) implements Effect {}

    /** Notifies the listeners of the client. */
    record Report(Notice notice) implements Effect {}
}
