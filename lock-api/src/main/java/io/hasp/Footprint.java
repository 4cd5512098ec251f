package io.hasp;

import io.hasp.spi.Claim;
import io.hasp.spi.LockName;

/** What one contender may have on the server, and under which holder id. Guarded by the monitor of its {@link Attempts}. */
final class Footprint {
    private final Engine engine;
    private final LockName name;
    private final Terms terms;
    private final boolean waits;

    private Claim claim;
    private boolean sent;
    private boolean inFlight;
    private boolean leftBehind;

    Footprint(Engine engine, LockName name, Terms terms, boolean waits) {
        this.engine = engine;
        this.name = name;
        this.terms = terms;
        this.waits = waits;
        this.claim = newClaim();
    }

    private Claim newClaim() {
        return terms.renewed()
                ? Claim.renewedLease(name, engine.newHolder(), terms.lease(), waits)
                : Claim.fixedLease(name, engine.newHolder(), terms.lease(), waits);
    }

    Claim claim() {
        return claim;
    }

    Claim sent() {
        sent = true;
        inFlight = true;
        return claim;
    }

    /** Whether the server may know the present holder id. */
    boolean everSent() {
        return sent;
    }

    void answered() {
        inFlight = false;
    }

    void queued() {
        leftBehind = claim.queue();
    }

    /** There is a grant, or there may be. */
    void leftBehind() {
        leftBehind = true;
    }

    /** Nothing is left of the present holder id, or others care for that: from now on another one. */
    void startOver() {
        claim = newClaim();
        sent = false;
        leftBehind = false;
    }

    boolean inFlight() {
        return inFlight;
    }

    boolean any() {
        return inFlight || leftBehind;
    }
}
