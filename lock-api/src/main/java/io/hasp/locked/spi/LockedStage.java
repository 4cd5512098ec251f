package io.hasp.locked.spi;

import io.hasp.LeaseLostException;
import io.hasp.locked.Locked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Completes the result of a {@link Locked} method that goes on after it has returned. */
final class LockedStage {
    private final CompletionStage<?> work;
    /** Fails with the loss of the lock; its cancellation cancels the work. */
    private final CompletableFuture<@Nullable Object> underLease;
    /** Fails also if the method itself released the lock. */
    private final CompletableFuture<@Nullable Object> checked;

    private LockedStage(CompletionStage<?> work, CompletableFuture<@Nullable Object> underLease, CallLease lease) {
        this.work = work;
        this.underLease = underLease;
        this.checked = underLease.thenApply(value -> {
            lease.ensureHeld();
            return value;
        });
    }

    /** A subclass could not be replaced by a stage for the caller. */
    static boolean canReturn(Class<?> result) {
        return result == CompletionStage.class || result == CompletableFuture.class;
    }

    /**
     * Runs the method; a loss interrupts its thread and cancels its stage, if the options require that.
     *
     * @return null if the method returned null
     * @throws Throwable the exception of the method
     */
    static @Nullable LockedStage begin(CallLease lease, LockedMethod.Body body) throws Throwable {
        OnThread onThread = new OnThread(body);
        CompletableFuture<@Nullable Object> underLease = lease.callAsync(() -> onThread.run(lease));
        if (onThread.thrown != null) {
            throw onThread.thrown;
        }
        return onThread.returned == null ? null : new LockedStage(onThread.returned, underLease, lease);
    }

    /** Runs the part of the method before its return. */
    private static final class OnThread {
        private final LockedMethod.Body body;
        private @Nullable CompletionStage<@Nullable Object> returned;
        private @Nullable Throwable thrown;

        OnThread(LockedMethod.Body body) {
            this.body = body;
        }

        @SuppressWarnings("unchecked")
        private CompletionStage<@Nullable Object> run(CallLease lease) {
            try {
                lease.call(() -> {
                    returned = (CompletionStage<@Nullable Object>) LockedMethod.<Exception>proceed(body);
                    return true;
                });
            } catch (LeaseLostException loss) {
                // Lost before the return: the stage has to end as well.
                thrown = returned == null ? loss : null;
            } catch (Throwable failure) {
                thrown = failure;
            }
            return returned == null ? CompletableFuture.completedStage(null) : returned;
        }
    }

    /** Completes when the work has ended, even if its caller has not waited for it, and was checked. The lock is held until then. */
    CompletionStage<?> end() {
        return endOfWork().thenCombine(checked.handle((any, failure) -> null), (any, other) -> null);
    }

    /** Takes a stage of the user's that can't be watched as ended: {@code checked} fails then. */
    private CompletableFuture<@Nullable Object> endOfWork() {
        CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
        try {
            CompletionStage<?> watched = work.whenComplete((any, failure) -> end.complete(null));
            if (watched == null) {
                end.complete(null);
            }
        } catch (Throwable broken) {
            end.complete(null);
        }
        return end;
    }

    /**
     * Returns the caller's stage: completes as the work does, or with the loss of its lock. Its cancellation cancels the work.
     *
     * @param released completes when the lock was released, or when no caller has to wait for that
     */
    CompletableFuture<@Nullable Object> result(CompletionStage<?> released) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        checked.whenComplete((value, failed) -> released.whenComplete((any, loss) -> {
            Throwable failure = failed == null ? loss : failed;
            if (failure == null) {
                result.complete(value);
            } else {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                result.completeExceptionally(cause == null ? failure : cause);
            }
        }));
        result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                underLease.cancel(true);
            }
        });
        return result;
    }
}
