package io.hasp.redis;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the client remembers of one holder between its first attempt and its release. */
final class Asking {
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile SignalListener signals;
    private volatile String ticket = "";
    private final AtomicReference<@Nullable HandOver> handOver = new AtomicReference<>();
    private volatile HandOver.@Nullable Refusal refusal;
    /** Of Redlock only: how often in a row nobody won a majority, and how many nodes called since the last request. */
    private volatile int splits;

    private final AtomicInteger calls = new AtomicInteger();
    /** Of Redlock only: one bit for each node that may know of this holder; beyond 64 of them, they share bits. */
    private long reached;

    Asking(SignalListener signals) {
        this.signals = signals;
    }

    /** A request goes out; the latest listener counts. */
    void asked(SignalListener listener) {
        signals = listener;
        unanswered.incrementAndGet();
        calls.set(0);
    }

    /** The request was answered, or certainly never arrived. */
    void answered() {
        unanswered.decrementAndGet();
    }

    /** True while some acquire may still arrive at the server. */
    boolean mayStillArrive() {
        return unanswered.get() > 0;
    }

    SignalListener signals() {
        return signals;
    }

    /** The place in the queue, to be taken again if the server has dropped it; empty if it never had one. */
    String ticket() {
        return ticket;
    }

    void queued(String ticket) {
        this.ticket = ticket;
    }

    void refused(HandOver.Refusal latest) {
        refusal = latest;
    }

    /** The server says that the lock is this holder's now. */
    void handedOver(HandOver news) {
        handOver.set(news);
    }

    /**
     * What the server's message is worth to a holder that would ask now, once: a grant that is good for long enough to be
     * confirmed by its first renewal.
     */
    Optional<Grant> handedOver(Claim claim, SignalListener listener, long now) {
        HandOver news = handOver.getAndSet(null);
        HandOver.Refusal latest = refusal;
        if (news == null || latest == null || !claim.renewed()) {
            return Optional.empty();
        }
        Duration validity = news.validity(latest, now);
        if (validity.compareTo(news.claim().dividedBy(2)) < 0) {
            return Optional.empty();
        }
        signals = listener;
        Duration lease = Leases.of(claim);
        return Optional.of(Grant.of(claim, news.token(), lease.compareTo(validity) < 0 ? lease : validity));
    }

    /** Something of this holder is about to be sent to a node. */
    synchronized void reaches(int node) {
        reached |= 1L << node;
    }

    /** Whether a node may have anything of this holder. */
    synchronized boolean reached(int node) {
        return (reached & 1L << node) != 0;
    }

    int splits() {
        return splits;
    }

    void splits(int inARow) {
        splits = inARow;
    }

    /** Another node says that it is this holder's turn; returns how many have. */
    int called() {
        return calls.incrementAndGet();
    }
}
