package io.hasp.postgres;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.ClockMargin;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The client's state of one holder, from its first request to its release. Thread-safe. */
final class ClientHolder {

    /** A refusal: when its request was sent, on the monotonic clock, and the newest token of the lock at that time. */
    record Refusal(long sentAt, long newest) {}

    final LockName lock;
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicReference<@Nullable Message> message = new AtomicReference<>();
    private volatile SignalListener signals;
    private volatile @Nullable Long ticket;
    private volatile boolean keeps;
    private volatile @Nullable Refusal refusal;

    ClientHolder(LockName lock, SignalListener signals) {
        this.lock = lock;
        this.signals = signals;
    }

    /** Notes a request that is about to be sent; the latest listener counts. */
    void asked(Claim claim, SignalListener listener) {
        signals = listener;
        keeps |= claim.keeps();
        unanswered.incrementAndGet();
    }

    /** Notes that a request is sent a second time: the first one may still arrive, whatever is answered. */
    void askedAgain() {
        unanswered.incrementAndGet();
    }

    /** Notes that the request was answered, or certainly never arrived. */
    void answered() {
        unanswered.decrementAndGet();
    }

    /** True while some request may still arrive at the server. */
    boolean mayStillArrive() {
        return unanswered.get() > 0;
    }

    /** Returns the place in the queue; null without a place. */
    @Nullable
    Long ticket() {
        return ticket;
    }

    void queued(long place, Refusal latest) {
        ticket = place;
        refusal = latest;
    }

    void recall() {
        if (keeps) {
            signals.onSignal(Signal.WANTED);
        }
    }

    /** A waiter asks again. */
    void wake() {
        if (ticket != null) {
            signals.onSignal(Signal.MAYBE_FREE);
        }
    }

    void granted(Message grant) {
        message.set(grant);
        signals.onSignal(Signal.MAYBE_FREE);
    }

    /**
     * Takes the direct grant that a message has brought, once. A request that was refused while the newest token was smaller was served
     * before the grant. So the grant is younger than the sending of that request, and valid for a claim from then on. Empty if less than half
     * of the claim is left: then the holder asks.
     */
    Optional<Attempt.Granted> directGrant(Claim claim, SignalListener listener, long now) {
        Message grant = message.getAndSet(null);
        Refusal latest = refusal;
        if (grant == null || latest == null || !claim.renewed() || latest.newest() >= grant.token()) {
            return Optional.empty();
        }
        Duration validity = grant.claim()
                .minusNanos(ClockMargin.ofNanos(grant.claim().toNanos()))
                .minusNanos(now - latest.sentAt());
        if (validity.compareTo(grant.claim().dividedBy(2)) < 0) {
            return Optional.empty();
        }
        signals = listener;
        Duration lease = ServerLease.of(claim);
        Grant proof = Grant.of(claim, grant.token(), lease.compareTo(validity) < 0 ? lease : validity);
        return Optional.of(new Attempt.Granted(proof, grant.marked() && claim.keeps()));
    }
}
