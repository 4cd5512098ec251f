package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import org.jspecify.annotations.Nullable;

/** What a machine wants done. The driver starts effects in the order of the events that brought them. */
public sealed interface Effect {
    /** Ask the server, where the contender's requests are made: with the request of that number. */
    record Acquire(Contender contender, Claim claim, int request) implements Effect {}

    /** Give one grant up and ask in its place, where the release is made. */
    record Transfer(HeldLease from, Contender contender, Claim claim, int request) implements Effect {}

    /** Release a lease on the server. */
    record Release(HeldLease lease) implements Effect {}

    /** Release a holder id that belongs to nobody any more. */
    record Withdraw(OwedRelease owed) implements Effect {}

    /** Renew a lease, with others if possible. */
    record Renew(HeldLease lease) implements Effect {}

    /** Set the alarm of a subject anew. */
    record Wake(Timed subject) implements Effect {}

    /** The contender has its outcome. */
    record Complete(Contender contender, Outcome outcome) implements Effect {}

    /** A release is over. */
    record CompleteRelease(ReleaseCall call, ReleaseCall.Found found) implements Effect {}

    /** A release was not confirmed. */
    record FailRelease(ReleaseCall call, BackendFailure failure) implements Effect {}

    /** A lease was lowered: to the one that began in its place, or to nothing, because it was over. */
    record CompleteLowering(LowerCall call, @Nullable HeldLease lease) implements Effect {}

    /** Tell the observers of a lease; if {@code awaited}, say so when they were told. */
    record Tell(HeldLease lease, boolean awaited) implements Effect {}

    /** Tell those who watch the client. */
    record Report(Notice notice) implements Effect {}
}
