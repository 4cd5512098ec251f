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
 * Runs asynchronous work under a lock: holds the lease until the work's future completes, and releases it before the caller's future
 * completes.
 *
 * @param <L> the type of the lease
 * @param <T> the result of the work's future
 * @param <R> the result of the caller's future
 */
final class AsyncWork<L, T, R> {
    /** Begins the work. */
    @FunctionalInterface
    interface Begin<L, T> {
        @Nullable
        CompletionStage<T> apply(L lease) throws Exception;
    }

    private final Begin<L, T> work;
    private final Function<T, R> view;
    /** The caller's future. */
    private final CompletableFuture<R> promise = new CompletableFuture<>();

    AsyncWork(Begin<L, T> work, Function<T, R> view) {
        this.work = work;
        this.view = view;
    }

    /** Begins at once, under a lease that its holder releases. */
    static <L, T> CompletableFuture<T> under(WorkHold<L> lease, Begin<L, T> work) {
        AsyncWork<L, T, T> begun = new AsyncWork<>(work, value -> value);
        CompletableFuture<T> stage = begun.stoppable(lease);
        stage.whenComplete((value, failure) -> begun.end(lease, value, failure));
        return begun.promise;
    }

    /**
     * Begins as soon as there is a lease.
     *
     * @param holds views the lease
     * @param none completes the result if there will be no lease
     * @param callbacks runs the work if the lease is there before this method looks: the caller's own thread never does
     */
    CompletableFuture<R> under(
            CompletableFuture<Optional<L>> acquiring,
            Function<L, WorkHold<L>> holds,
            @Nullable R none,
            Executor callbacks) {
        Thread caller = Thread.currentThread();
        AtomicBoolean looking = new AtomicBoolean(true);
        acquiring.whenComplete((lease, failure) -> {
            Runnable next = () -> {
                if (failure != null) {
                    promise.completeExceptionally(failure);
                } else if (lease.isEmpty()) {
                    promise.complete(none);
                } else {
                    begin(holds.apply(lease.get()));
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

    private void begin(WorkHold<L> lease) {
        if (promise.isDone()) {
            lease.giveBackAsync();
            return;
        }
        stoppable(lease).whenComplete((value, failure) -> release(lease, value, failure));
    }

    /** Returns the work's future, which a loss cancels if the options require that, and the caller may cancel. */
    private CompletableFuture<T> stoppable(WorkHold<L> lease) {
        CompletionStage<T> stage = started(lease);
        CompletableFuture<T> end = endOf(stage);
        Runnable takeBack = lease.cancelWhenCutShort(() -> cancel(stage));
        promise.whenComplete((value, failure) -> cancel(stage));
        end.whenComplete((value, failure) -> takeBack.run());
        return end;
    }

    /** Fails for a stage of the user's that can't be watched: its end would never be noticed. */
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

    private CompletionStage<T> started(WorkHold<L> lease) {
        AtomicReference<@Nullable CompletionStage<T>> started = new AtomicReference<>();
        lease.beginning(() -> started.set(applied(lease)));
        CompletionStage<T> stage = started.get();
        return stage != null
                ? stage
                : CompletableFuture.failedStage(new InvalidArgumentException("the work returned no future"));
    }

    private @Nullable CompletionStage<T> applied(WorkHold<L> lease) {
        try {
            return work.apply(lease.lease());
        } catch (Throwable failure) {
            return CompletableFuture.failedStage(failure);
        }
    }

    private static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (Throwable e) {
            // This kind of stage can't be cancelled.
        }
    }

    private void release(WorkHold<L> lease, @Nullable T value, @Nullable Throwable failure) {
        lease.giveBackAsync().thenRun(() -> end(lease, value, failure));
    }

    /** Counts a loss that only the release finds. */
    private void end(WorkHold<L> lease, @Nullable T value, @Nullable Throwable thrown) {
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
