package io.hasp;

import io.hasp.engine.threads.Failures;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
    private final LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work;
    private final Function<T, R> view;
    /** The caller's. */
    private final CompletableFuture<R> promise = new CompletableFuture<>();

    AsyncWork(LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work, Function<T, R> view) {
        this.work = work;
        this.view = view;
    }

    /** Begins at once, under a lease that somebody else gives back. */
    static <T> CompletableFuture<T> under(
            Lease lease, LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        AsyncWork<T, T> begun = new AsyncWork<>(work, value -> value);
        CompletableFuture<T> stage = begun.stoppable(lease);
        stage.whenComplete((value, failure) -> begun.end(lease, value, failure));
        return begun.promise;
    }

    /**
     * Begins as soon as there is a lease.
     *
     * @param none completes the result if there will be no lease
     * @param callbacks runs the work if the lease is there before this method looks: the caller's own thread never does
     */
    CompletableFuture<R> under(CompletableFuture<Optional<Lease>> acquiring, @Nullable R none, Executor callbacks) {
        Thread caller = Thread.currentThread();
        AtomicBoolean looking = new AtomicBoolean(true);
        acquiring.whenComplete((lease, failure) -> {
            Runnable next = () -> {
                if (failure != null) {
                    promise.completeExceptionally(failure);
                } else if (lease.isEmpty()) {
                    promise.complete(none);
                } else {
                    begin(lease.get());
                }
            };
            if (looking.get() && Thread.currentThread() == caller) {
                callbacks.execute(next);
            } else {
                next.run();
            }
        });
        looking.set(false);
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
    private CompletableFuture<T> stoppable(Lease lease) {
        CompletionStage<T> stage = started(lease);
        CompletableFuture<T> end = endOf(stage);
        Runnable takeBack = lease.cancelWhenCutShort(() -> cancel(stage));
        promise.whenComplete((value, failure) -> cancel(stage));
        end.whenComplete((value, failure) -> takeBack.run());
        return end;
    }

    /** A stage of the user's that can't be watched has failed: its end would never be noticed. */
    private static <T> CompletableFuture<T> endOf(CompletionStage<T> stage) {
        CompletableFuture<T> end = new CompletableFuture<>();
        try {
            CompletionStage<T> watched = stage.whenComplete((value, failure) -> {
                if (failure == null) {
                    end.complete(value);
                } else {
                    end.completeExceptionally(failure);
                }
            });
            if (watched == null) {
                end.completeExceptionally(
                        new InvalidArgumentException("the work returned a future whose whenComplete returns null"));
            }
        } catch (Throwable broken) {
            end.completeExceptionally(broken);
        }
        return end;
    }

    private CompletionStage<T> started(Lease lease) {
        AtomicReference<@Nullable CompletionStage<T>> started = new AtomicReference<>();
        lease.beginning(() -> started.set(applied(lease)));
        CompletionStage<T> stage = started.get();
        return stage != null
                ? stage
                : CompletableFuture.failedStage(new InvalidArgumentException("the work returned no future"));
    }

    private @Nullable CompletionStage<T> applied(Lease lease) {
        try {
            return work.apply(lease);
        } catch (Throwable failure) {
            return CompletableFuture.failedStage(failure);
        }
    }

    private static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (Throwable e) {
            // Of a kind that can't be cancelled.
        }
    }

    private void release(Lease lease, @Nullable T value, @Nullable Throwable failure) {
        lease.latest().giveBackAsync().thenRun(() -> end(lease, value, failure));
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
