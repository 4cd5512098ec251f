package io.hasp.redis.holder;

import io.hasp.redis.script.ServerLease;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The client's state of one holder, from its first attempt to its release. */
public final class HolderState {
    private final LockName lock;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile SignalListener signals;
    private volatile String ticket = "";
    private volatile boolean keeps;
    private final AtomicReference<@Nullable GrantMessage> grantMessage = new AtomicReference<>();
    private volatile GrantMessage.@Nullable Refusal refusal;
    /** Renewals for at most so many milliseconds leave the token counter alone, until that moment. */
    private volatile long counterLease;

    private volatile long counterUntil;
    /** Redlock only: its release has begun. */
    private volatile boolean releasing;
    /** Redlock only: the number of attempts in a row that ended without a majority for any client. */
    private volatile int splits;

    /** Redlock only: the number of nodes that have called since the last request. */
    private final AtomicInteger calls = new AtomicInteger();
    /** Redlock only: one bit for each node that may have something of this holder; more than 64 nodes share bits. */
    private long reached;
    /** Redlock only: the nodes that have not answered all requests of a former attempt; null as long as all have. */
    private @Nullable BitSet unsettled;

    HolderState(LockName lock, SignalListener signals) {
        this.lock = lock;
        this.signals = signals;
    }

    LockName lock() {
        return lock;
    }

    /** Notes a request that is about to be sent; the latest listener counts. */
    public void asked(SignalListener listener) {
        signals = listener;
        unanswered.incrementAndGet();
        calls.set(0);
    }

    /**
     * Redlock only: notes a renewal that is about to be sent. False if the release has begun: a renewal that arrives after it could take
     * the free lock on a node. Otherwise the release sees an unanswered request, and leaves a tombstone.
     */
    public boolean renews() {
        asked(signals);
        if (releasing) {
            answered();
            return false;
        }
        return true;
    }

    /** Redlock only: notes that the release is about to be sent. */
    public void releases() {
        releasing = true;
    }

    boolean releasing() {
        return releasing;
    }

    /** Notes that the request was answered, or certainly never arrived. */
    public void answered() {
        unanswered.decrementAndGet();
    }

    /** True while some acquire may still arrive at the server. */
    public boolean mayStillArrive() {
        return unanswered.get() > 0;
    }

    public SignalListener signals() {
        return signals;
    }

    /** Returns the place in the queue, which a later request takes again if the server has dropped it; empty without a place. */
    public String ticket() {
        return ticket;
    }

    public void queued(String ticket) {
        this.ticket = ticket;
    }

    /** Notes that the requested lock may be kept, so that this holder receives recalls. */
    public void keeps() {
        keeps = true;
    }

    /** True if a renewal for so many milliseconds has to prolong the token counter as well. */
    public boolean counterIsDue(long lease, long now) {
        return lease > counterLease || now - counterUntil >= 0;
    }

    /** Notes a renewal for so many milliseconds that prolonged the token counter, which then lasts for some time. */
    public void counterProlonged(long lease, long until) {
        counterUntil = until;
        counterLease = lease;
    }

    /** Notes that the present server may not have prolonged the token counter. */
    public void counterForgotten() {
        counterLease = 0;
    }

    /** Notes that another client requests the lock, or that its recall may be missing. */
    void recall() {
        if (keeps) {
            signals.onSignal(Signal.WANTED);
        }
    }

    /** A message of the former server that is still being read does not count either. */
    void otherServer() {
        refusal = null;
        grantMessage.set(null);
        counterForgotten();
        signals.onSignal(Signal.SUSPECT);
        signals.onSignal(Signal.RESTORED);
    }

    public void refused(GrantMessage.Refusal latest) {
        refusal = latest;
    }

    /** The server has sent a direct grant to this holder. */
    void directGrant(GrantMessage message) {
        grantMessage.set(message);
    }

    /**
     * Takes the direct grant, once. Empty if there is none, or if it is not valid for long enough to be confirmed by the first
     * renewal. It is recallable if the lock is marked.
     */
    Optional<Attempt.Granted> directGrant(Claim claim, SignalListener listener, long now) {
        GrantMessage message = grantMessage.getAndSet(null);
        GrantMessage.Refusal latest = refusal;
        if (message == null || latest == null || !claim.renewed()) {
            return Optional.empty();
        }
        Duration validity = message.validity(latest, now);
        if (validity.compareTo(message.claim().dividedBy(2)) < 0) {
            return Optional.empty();
        }
        signals = listener;
        Duration lease = ServerLease.of(claim);
        Grant grant = Grant.of(claim, message.token(), lease.compareTo(validity) < 0 ? lease : validity);
        return Optional.of(new Attempt.Granted(grant, message.marked() && claim.keeps()));
    }

    /** Notes that a request of this holder is about to be sent to a node. */
    public synchronized void reaches(int node) {
        reached |= 1L << node;
    }

    /** True if a request of this holder may have reached the node. */
    public synchronized boolean reached(int node) {
        return (reached & 1L << node) != 0;
    }

    /** Notes a node that has not answered an attempt that is over, or the release of its grant. */
    public synchronized void unsettled(int node) {
        BitSet nodes = unsettled == null ? new BitSet() : unsettled;
        nodes.set(node);
        unsettled = nodes;
    }

    /** Notes that nothing of a former attempt is under way to the node any more. */
    public synchronized void settled(int node) {
        if (unsettled != null) {
            unsettled.clear(node);
        }
    }

    /** The nodes where something of a former attempt may still take or give back the lock. */
    public synchronized BitSet unsettled() {
        return unsettled == null ? new BitSet() : (BitSet) unsettled.clone();
    }

    public int splits() {
        return splits;
    }

    public void splits(int inARow) {
        splits = inARow;
    }

    /** Notes that one more node has called this holder; returns the number of these nodes. */
    public int called() {
        return calls.incrementAndGet();
    }
}
