package io.hasp.engine.lease;

import io.hasp.engine.threads.RequestExecutor;
import java.util.concurrent.CompletableFuture;

/** Somebody who gives a lease back and wants to know what the server found. */
public final class ReleaseCall {
    /** What a release found. */
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

    /** A call whose request is made where {@code executor} says. */
    public ReleaseCall(RequestExecutor executor) {
        this.executor = executor;
    }
}
