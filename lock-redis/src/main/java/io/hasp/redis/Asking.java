package io.hasp.redis;

import io.hasp.spi.SignalListener;
import java.util.concurrent.atomic.AtomicInteger;

/** What the client remembers of one holder between its first attempt and its release. */
final class Asking {
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile SignalListener signals;
    private volatile String ticket = "";
    /** Of Redlock only: how often in a row nobody won a majority, and how many nodes called since the last request. */
    private volatile int splits;

    private final AtomicInteger calls = new AtomicInteger();

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
