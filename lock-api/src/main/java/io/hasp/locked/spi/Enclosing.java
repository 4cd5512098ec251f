package io.hasp.locked.spi;

import io.hasp.Lease;
import io.hasp.locked.Locked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a call of a {@link Locked} method may be a part of, and its lock must outlive, such as a transaction. */
@FunctionalInterface
public interface Enclosing {
    /** There is no such thing. */
    Enclosing NOTHING = lease -> CompletableFuture.completedFuture(null);

    /**
     * Asked on the calling thread when the method has returned or thrown.
     *
     * @param lease what the call holds
     * @return completes when the lease may be released; completed already if that is now
     */
    CompletionStage<?> outlived(Lease lease);
}
