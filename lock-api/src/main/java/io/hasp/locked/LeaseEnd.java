package io.hasp.locked;

import io.hasp.locked.HeldLeases.Held;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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

    /** Completes when the lease was given back, or when nobody may wait for that, because it waits for the caller. */
    CompletionStage<?> released() {
        return released;
    }

    /** The method has returned or thrown. */
    void begin(Enclosing enclosing) {
        CompletableFuture<?> outlived = NONE;
        try {
            outlived = enclosing.outlived(held.lease).toCompletableFuture();
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

    private void over() {
        held.over();
        boolean mayBlock = Thread.currentThread() == caller;
        if (mayBlock) {
            all.end(held);
        }
        CompletableFuture<?> work = held.work();
        if (mayBlock && work.isDone()) {
            held.lease.close();
            released.complete(null);
        } else {
            work.whenComplete((any, failure) -> release());
        }
    }

    private void release() {
        held.lease.closeAsync().thenRun(() -> released.complete(null));
    }
}
