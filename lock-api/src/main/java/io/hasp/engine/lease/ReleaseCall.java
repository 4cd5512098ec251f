package io.hasp.engine.lease;

import io.hasp.engine.threads.RequestExecutor;
import java.util.concurrent.CompletableFuture;

/** A caller that gives a lease back and waits for the result. */
public final class ReleaseCall {
    /** The results of a release. */
    public enum Found {
        /** The server had it until now. */
        RELEASED,
        /** It had been lost. */
        LOST,
        /** It had been released before. */
        ALREADY_RELEASED
    }

    /** Fails with a {@link io.hasp.spi.BackendFailure}. */
    public final CompletableFuture<Found> result = new CompletableFuture<>();

    public final RequestExecutor executor;

    /** A call with the executor of its request. */
    public ReleaseCall(RequestExecutor executor) {
        this.executor = executor;
    }
}
