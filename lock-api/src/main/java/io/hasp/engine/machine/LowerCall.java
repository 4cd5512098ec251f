package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.Share;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A call by which a holder keeps only a part of its share: a downgrade from writer to reader, or the release of some permits. */
public final class LowerCall {
    final Share share;

    /** The lease that replaced the old one; empty if the old one was over. */
    public final CompletableFuture<Optional<HeldLease>> result = new CompletableFuture<>();

    public LowerCall(Share share) {
        this.share = share;
    }
}
