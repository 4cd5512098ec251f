package io.hasp.engine;

import io.hasp.spi.Share;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A holder that keeps only a part of its share: a writer that goes on reading, or some permits given back early. */
final class LowerCall {
    /** What it keeps. */
    final Share share;

    /** The lease that began in the place of the old one; empty if that was over. */
    final CompletableFuture<Optional<HeldLease>> result = new CompletableFuture<>();

    LowerCall(Share share) {
        this.share = share;
    }
}
