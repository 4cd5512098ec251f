package io.hasp.locked;

import io.hasp.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The result of a {@link Locked} method that goes on after it has returned. */
final class LockedStage {
    private final CompletionStage<?> work;
    private final CompletionStage<@Nullable Object> checked;

    LockedStage(CompletionStage<?> work, Lease lease) {
        this.work = work;
        this.checked = work.thenApply(value -> {
            lease.ensureHeld();
            return value;
        });
    }

    /** A subclass could not be given to the caller in the place of the method's own. */
    static boolean canReturn(Class<?> result) {
        return result == CompletionStage.class || result == CompletableFuture.class;
    }

    /** Until then the lock is held; the loss of it is a failure. */
    CompletionStage<?> end() {
        return checked;
    }

    /**
     * What the caller gets: completes as the work does, or with the loss of its lock. Who cancels it cancels the work.
     *
     * @param released completes when the lock was given back, or when nobody has to wait for that
     */
    CompletableFuture<@Nullable Object> result(CompletionStage<?> released) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        checked.whenComplete((value, failure) -> released.whenComplete((any, ignored) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                result.completeExceptionally(cause == null ? failure : cause);
            }
        }));
        result.whenComplete((value, failure) -> {
            if (result.isCancelled() && work instanceof Future<?> future) {
                future.cancel(true);
            }
        });
        return result;
    }
}
