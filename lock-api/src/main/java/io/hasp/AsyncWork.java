package io.hasp;

import io.hasp.engine.Failures;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Work that ends with a future, under a lock: the lease is held until that future completes, and given back before the caller's
 * completes.
 *
 * @param <T> what the work's future completes with
 * @param <R> what the caller's future completes with
 */
final class AsyncWork<T, R> {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private final Function<? super Lease, ? extends CompletionStage<T>> work;
    private final Function<T, R> view;
    /** The caller's. */
    private final CompletableFuture<R> promise = new CompletableFuture<>();

    AsyncWork(Function<? super Lease, ? extends CompletionStage<T>> work, Function<T, R> view) {
        this.work = work;
        this.view = view;
    }

    /** Begins at once, under a lease that somebody else gives back. */
    static <T> CompletableFuture<T> under(Lease lease, Function<? super Lease, ? extends CompletionStage<T>> work) {
        AsyncWork<T, T> begun = new AsyncWork<>(work, value -> value);
        CompletionStage<T> stage = begun.stoppable(lease);
        stage.whenComplete((value, failure) -> begun.end(lease, value, failure));
        return begun.promise;
    }

    /** Begins as soon as there is a lease; completes with what is given here if there will be none. */
    CompletableFuture<R> under(CompletableFuture<Optional<Lease>> acquiring, @Nullable R none) {
        acquiring.whenComplete((lease, failure) -> {
            if (failure != null) {
                promise.completeExceptionally(failure);
            } else if (lease.isEmpty()) {
                promise.complete(none);
            } else {
                begin(lease.get());
            }
        });
        promise.whenComplete((value, failure) -> acquiring.cancel(false));
        return promise;
    }

    private void begin(Lease lease) {
        if (promise.isDone()) {
            lease.releaseAsync();
            return;
        }
        stoppable(lease).whenComplete((value, failure) -> release(lease, value, failure));
    }

    /** The work's future, cancelled on a loss if that is wanted, and with the caller's. */
    private CompletionStage<T> stoppable(Lease lease) {
        CompletionStage<T> stage = started(lease);
        Runnable takeBack = lease.cancelWhenCutShort(() -> cancel(stage));
        promise.whenComplete((value, failure) -> cancel(stage));
        stage.whenComplete((value, failure) -> takeBack.run());
        return stage;
    }

    private CompletionStage<T> started(Lease lease) {
        try {
            CompletionStage<T> stage = work.apply(lease);
            return stage != null
                    ? stage
                    : CompletableFuture.failedStage(new InvalidArgumentException("the work returned no future"));
        } catch (Throwable failure) {
            return CompletableFuture.failedStage(failure);
        }
    }

    private static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException e) {
            // Of a kind that can't be cancelled.
        }
    }

    private void release(Lease lease, @Nullable T value, @Nullable Throwable failure) {
        lease.releaseAsync().whenComplete((found, unreleased) -> {
            if (unreleased != null) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        Failures.causeOf(unreleased).getMessage());
            }
            end(lease, value, failure);
        });
    }

    /** What the release found counts as well. */
    private void end(Lease lease, @Nullable T value, @Nullable Throwable thrown) {
        LeaseLostException loss = lease.cutShort();
        Throwable failure = thrown == null ? null : Failures.causeOf(thrown);
        if (loss != null) {
            if (failure != null && !(failure instanceof CancellationException)) {
                loss.addSuppressed(failure);
            }
            promise.completeExceptionally(loss);
        } else if (failure != null) {
            promise.completeExceptionally(failure);
        } else {
            complete(value);
        }
    }

    private void complete(@Nullable T value) {
        try {
            promise.complete(view.apply(value));
        } catch (Throwable failure) {
            promise.completeExceptionally(failure);
        }
    }
}
