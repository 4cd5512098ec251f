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
    /** Of Redlock only: how many attempts in a row ended without a majority for any client. */
    private volatile int splits;

    /** Of Redlock only: how many nodes called since the last request. */
    private final AtomicInteger calls = new AtomicInteger();
    /** Of Redlock only: one bit for each node that may know of this holder; beyond 64 of them, they share bits. */
    private long reached;
    /** Of Redlock only: nodes that have not answered all of a former attempt. */
    private final BitSet unsettled = new BitSet();

    HolderState(LockName lock, SignalListener signals) {
        this.lock = lock;
        this.signals = signals;
    }

    LockName lock() {
        return lock;
    }

    /** A request goes out; the latest listener counts. */
    public void asked(SignalListener listener) {
        signals = listener;
        unanswered.incrementAndGet();
        calls.set(0);
    }

    /** The request was answered, or certainly never arrived. */
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

    /** The place in the queue, to be taken again if the server has dropped it; empty if it never had one. */
    public String ticket() {
        return ticket;
    }

    public void queued(String ticket) {
        this.ticket = ticket;
    }

    /** The requested lock may be kept, so this holder receives recalls. */
    public void keeps() {
        keeps = true;
    }

    /** Another client wants the lock, or its recall may be missing. */
    void recall() {
        if (keeps) {
            signals.onSignal(Signal.WANTED);
        }
    }

    /** A message of the former server that is still being read does not count either. */
    void otherServer() {
        refusal = null;
        grantMessage.set(null);
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

    /** Something of this holder is about to be sent to a node. */
    public synchronized void reaches(int node) {
        reached |= 1L << node;
    }

    /** True if a request of this holder may have reached the node. */
    public synchronized boolean reached(int node) {
        return (reached & 1L << node) != 0;
    }

    /** A node has not answered an attempt that is over, or what gives its grant back. */
    public synchronized void unsettled(int node) {
        unsettled.set(node);
    }

    /** Nothing of a former attempt is under way to the node any more. */
    public synchronized void settled(int node) {
        unsettled.clear(node);
    }

    /** The nodes where something of a former attempt may still take or give back the lock. */
    public synchronized BitSet unsettled() {
        return (BitSet) unsettled.clone();
    }

    public int splits() {
        return splits;
    }

    public void splits(int inARow) {
        splits = inARow;
    }

    /** Another node says that it is this holder's turn; returns how many have. */
    public int called() {
        return calls.incrementAndGet();
    }
}
