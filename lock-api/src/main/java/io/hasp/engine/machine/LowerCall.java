package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.Share;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A holder that keeps only a part of its share: a writer that goes on reading, or some permits given back early. */
public final class LowerCall {
    /** What it keeps. */
    final Share share;

    /** The lease that began in the place of the old one; empty if that was over. */
    public final CompletableFuture<Optional<HeldLease>> result = new CompletableFuture<>();

    public LowerCall(Share share) {
        this.share = share;
    }
}
