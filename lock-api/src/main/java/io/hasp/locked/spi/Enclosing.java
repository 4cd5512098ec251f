package io.hasp.locked.spi;

import io.hasp.locked.Locked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Finds the operation around a call of a {@link Locked} method that its lock must outlive, such as a transaction. Thread-safe. */
@FunctionalInterface
public interface Enclosing {
    /** Finds no such operation. */
    Enclosing NOTHING = ensureHeld -> CompletableFuture.completedFuture(null);

    /**
     * Finds the end of the operation. Called on the calling thread when the method has returned or thrown.
     *
     * @param ensureHeld throws unless the locks of the call are held; for a check before the operation ends
     * @return completes when the lease may be released; completed already if that is now
     */
    CompletionStage<?> outlived(Runnable ensureHeld);
}
