package io.hasp.locked.spi;

import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.locked.Locked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The result of a {@link Locked} method that goes on after it has returned. */
final class LockedStage {
    private final CompletionStage<?> work;
    /** Fails with the loss of the lock; cancelling it cancels the work. */
    private final CompletableFuture<@Nullable Object> underLease;
    /** Fails also if the lock was given back by the method itself. */
    private final CompletableFuture<@Nullable Object> checked;

    private LockedStage(CompletionStage<?> work, CompletableFuture<@Nullable Object> underLease, Lease lease) {
        this.work = work;
        this.underLease = underLease;
        this.checked = underLease.thenApply(value -> {
            lease.ensureHeld();
            return value;
        });
    }

    /** A subclass could not be given to the caller in the place of the method's own. */
    static boolean canReturn(Class<?> result) {
        return result == CompletionStage.class || result == CompletableFuture.class;
    }

    /**
     * Runs the method, whose thread is interrupted and whose stage is cancelled on a loss, if that is wanted.
     *
     * @return null if it returned null
     * @throws Throwable what it throws
     */
    static @Nullable LockedStage begin(Lease lease, LockedMethod.Body body) throws Throwable {
        OnThread onThread = new OnThread(body);
        CompletableFuture<@Nullable Object> underLease = lease.callAsync(onThread::run);
        if (onThread.thrown != null) {
            throw onThread.thrown;
        }
        return onThread.returned == null ? null : new LockedStage(onThread.returned, underLease, lease);
    }

    /** What the method does before it returns. */
    private static final class OnThread {
        private final LockedMethod.Body body;
        private @Nullable CompletionStage<@Nullable Object> returned;
        private @Nullable Throwable thrown;

        OnThread(LockedMethod.Body body) {
            this.body = body;
        }

        @SuppressWarnings("unchecked")
        private CompletionStage<@Nullable Object> run(Lease lease) {
            try {
                lease.call(held -> {
                    returned = (CompletionStage<@Nullable Object>) LockedMethod.<Exception>proceed(body);
                    return true;
                });
            } catch (LeaseLostException loss) {
                // Lost before it had returned: the stage is to end as well.
                thrown = returned == null ? loss : null;
            } catch (Throwable failure) {
                thrown = failure;
            }
            return returned == null ? CompletableFuture.completedStage(null) : returned;
        }
    }

    /** Until then the lock is held: the work has ended, also if its caller has not waited for it, and was checked. */
    CompletionStage<?> end() {
        return endOfWork().thenCombine(checked.handle((any, failure) -> null), (any, other) -> null);
    }

    /** A stage of the user's that can't be watched has ended: {@code checked} fails then. */
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
     * What the caller gets: completes as the work does, or with the loss of its lock. Who cancels it cancels the work.
     *
     * @param released completes when the lock was given back, or when nobody has to wait for that
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
