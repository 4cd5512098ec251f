package io.hasp;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Completes with the outcome of an acquisition. A caller that cancels a dependent future, or completes it in another way such as
 * {@code orTimeout}, cancels this one: the dependent would drop a lease that comes later, and no code would release it.
 */
final class AcquisitionFuture<T> extends CompletableFuture<T> {
    private final @Nullable AcquisitionFuture<?> source;

    AcquisitionFuture() {
        this(null);
    }

    private AcquisitionFuture(@Nullable AcquisitionFuture<?> source) {
        this.source = source;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new AcquisitionFuture<>(this);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return withdrawn(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(T value) {
        return withdrawn(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return withdrawn(super.completeExceptionally(failure));
    }

    private boolean withdrawn(boolean byTheCaller) {
        if (byTheCaller && source != null) {
            source.cancel(false);
        }
        return byTheCaller;
    }
}
