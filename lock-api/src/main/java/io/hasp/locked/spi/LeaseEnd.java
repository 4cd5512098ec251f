package io.hasp.locked.spi;

import io.hasp.LeaseLostException;
import io.hasp.locked.spi.HeldLeases.Held;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Releases the lease of a call: when the method has returned, its work has ended, and the operation around the call has ended. */
final class LeaseEnd {
    private static final CompletableFuture<?> NONE = CompletableFuture.completedFuture(null);

    private final HeldLeases all;
    private final Held held;
    private final Thread caller = Thread.currentThread();
    private final CompletableFuture<?> released = new CompletableFuture<>();

    LeaseEnd(HeldLeases all, Held held) {
        this.all = all;
        this.held = held;
    }

    /**
     * Completes when the lease was released, or when no call may wait for that, because the release waits for the caller. Fails with a
     * loss.
     */
    CompletionStage<?> released() {
        return released;
    }

    /** Begins when the method has returned or thrown. */
    void begin(Enclosing enclosing) {
        CompletableFuture<?> outlived = NONE;
        try {
            outlived = endOf(enclosing.outlived(() -> all.ensureHeld(held)));
        } finally {
            if (outlived.isDone()) {
                over();
            } else {
                held.enclosed();
                released.complete(null);
                outlived.whenComplete((any, failure) -> over());
            }
        }
    }

    /** Refuses a stage that can't be watched: its end would never be noticed. A stage need not support {@code toCompletableFuture}. */
    private static CompletableFuture<?> endOf(@Nullable CompletionStage<?> enclosing) {
        CompletableFuture<@Nullable Object> ended = new CompletableFuture<>();
        if (enclosing == null || enclosing.whenComplete((any, failure) -> ended.complete(null)) == null) {
            throw new IllegalStateException("what encloses a call of a @Locked method gave "
                    + (enclosing == null ? "null" : "a stage whose whenComplete returns null"));
        }
        return ended;
    }

    private void over() {
        held.over();
        boolean mayBlock = Thread.currentThread() == caller;
        if (mayBlock) {
            all.end(held);
        }
        CompletableFuture<?> work = held.work();
        if (mayBlock && work.isDone()) {
            try {
                held.lease.close();
            } catch (LeaseLostException loss) {
                released.completeExceptionally(loss);
                throw loss;
            }
            released.complete(null);
        } else {
            work.whenComplete((any, failure) -> release());
        }
    }

    private void release() {
        held.lease.closeAsync().whenComplete((any, failure) -> {
            if (failure == null) {
                released.complete(null);
            } else {
                released.completeExceptionally(failure);
            }
        });
    }
}
