package io.hasp.test;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Share;
import io.hasp.spi.SignalListener;
import io.hasp.test.LockRecord.Kind;
import io.hasp.test.LockRecord.Outcome;
import java.util.Optional;

/** A request of the client under test, with its present state. Guarded by its {@link Requests}. */
final class Request {
    /** The public token of the first lease on a grant is the server's token times this number. */
    static final long TOKENS_PER_GRANT = Long.MAX_VALUE / Grant.TOKEN_LIMIT + 1;

    final Claim claim;
    private final Thread sender = Thread.currentThread();
    private final String thread = sender.getName();
    private final Optional<StackTraceElement> place = CallingCode.place();
    SignalListener signals;
    Outcome outcome = Outcome.WAITING;
    /** Changes when a holder gives a part back. */
    Share share;

    /** True once there was an answer or a failure. */
    boolean answered;

    /** True once it was refused or failed, whatever came then. */
    boolean refused;

    /** True once its release was requested: a late answer brings no lock any more. */
    boolean withdrawn;

    long token;
    /** The end of the server's lease, on the kit's clock. */
    long endsAt;

    Request(Claim claim, SignalListener signals) {
        this.claim = claim;
        this.signals = signals;
        this.share = claim.share();
    }

    /**
     * Returns true if its call waits, or has waited while the present thread did something else: a call of this thread itself is over.
     */
    boolean isOfWaitingCall() {
        return !answered || (refused && sender != Thread.currentThread());
    }

    boolean isHeld(long now) {
        return outcome == Outcome.HELD && now - endsAt < 0;
    }

    LockRecord record(long now) {
        Share requested = claim.share();
        Kind kind = kind(requested);
        return new LockRecord(
                claim.name().value(),
                kind,
                kind == Kind.PERMITS ? requested.weight() : 1,
                kind == Kind.PERMITS ? requested.capacity() : 1,
                claim.lease(),
                claim.renewed(),
                claim.queue(),
                claim.label(),
                outcome == Outcome.HELD && !isHeld(now) ? Outcome.LOST : outcome,
                token * TOKENS_PER_GRANT,
                thread,
                place);
    }

    private static Kind kind(Share share) {
        if (share.isExclusive()) {
            return Kind.EXCLUSIVE;
        } else if (share.capacity() != Share.READ_WRITE) {
            return Kind.PERMITS;
        }
        return share.equals(Share.WRITE) ? Kind.WRITE : Kind.READ;
    }
}
