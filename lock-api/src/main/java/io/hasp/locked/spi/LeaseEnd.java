package io.hasp.locked.spi;

import io.hasp.LeaseLostException;
import io.hasp.locked.spi.HeldLeases.Held;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Gives the lease of a call back: when the method has returned, its work has ended, and so has what encloses the call. */
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

    /** Completes when the lease was given back, or when no call may wait for that, because it waits for the caller. Fails with a loss. */
    CompletionStage<?> released() {
        return released;
    }

    /** The method has returned or thrown. */
    void begin(Enclosing enclosing) {
        CompletableFuture<?> outlived = NONE;
        try {
            outlived = endOf(enclosing.outlived(held.lease));
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

    /** Not the stage's toCompletableFuture, which it need not have. One that can't be watched is refused: its end would never be noticed. */
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
