package io.hasp.micrometer;

import io.hasp.CheckReturnValue;
import io.hasp.DistributedLock;
import io.hasp.LeaseAction;
import io.hasp.LeaseFunction;
import io.hasp.TryResult;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A lock whose work is observed. With tracing, each call is a span that contains the spans of its work.
 *
 * <pre>{@code
 * ObservedLock.of(locks.lock("orders/42"), observations).run(lease -> store.write(order, lease.fencingToken()));
 * }</pre>
 *
 * <p>The observation {@code hasp.lock.call} begins with the call and ends when it returns, after the release or without
 * the lock. Its event {@code lock.acquired} separates the wait from the work. Its low-cardinality key {@code outcome}
 * is {@code acquired}, {@code contended} or {@code failed}; a call whose work threw is {@code acquired}. The name of
 * the lock ({@code lock.name}) and the fencing token ({@code lock.token}) are high-cardinality keys: spans have them,
 * and metrics don't. An exception of the call is the observation's error.
 *
 * <p>Thread-safe. Each method behaves as its namesake of {@link DistributedLock}, including exceptions.
 */
public final class ObservedLock {
    private final DistributedLock lock;
    private final ObservationRegistry registry;

    private ObservedLock(DistributedLock lock, ObservationRegistry registry) {
        this.lock = lock;
        this.registry = registry;
    }

    /**
     * Wraps a lock so that the work under it is observed. Sends no request.
     *
     * @param lock the lock
     * @param registry receives an observation for each call
     * @return the observed lock
     */
    public static ObservedLock of(DistributedLock lock, ObservationRegistry registry) {
        return new ObservedLock(lock, registry);
    }

    /**
     * Observes {@link DistributedLock#call}.
     *
     * @param work the work
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work
     * @throws X the exception of the work
     * @throws InterruptedException as the lock's own method
     */
    public <T, X extends Exception> T call(LeaseFunction<T, X> work) throws X, InterruptedException {
        return this.<T, X, InterruptedException>observed(call -> lock.call(call.noting(work)));
    }

    /**
     * Observes {@link DistributedLock#run}.
     *
     * @param work the work
     * @param <X> the type of its exceptions
     * @throws X the exception of the work
     * @throws InterruptedException as the lock's own method
     */
    public <X extends Exception> void run(LeaseAction<X> work) throws X, InterruptedException {
        this.<Boolean, X, InterruptedException>observed(call -> {
            lock.run(call.noting(work));
            return true;
        });
    }

    /**
     * Observes {@link DistributedLock#tryCall(LeaseFunction)}.
     *
     * @param work the work
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return as the lock's own method
     * @throws X the exception of the work
     */
    public <T, X extends Exception> TryResult<T> tryCall(LeaseFunction<T, X> work) throws X {
        return this.<TryResult<T>, X, RuntimeException>observed(call -> lock.tryCall(call.noting(work)));
    }

    /**
     * Observes {@link DistributedLock#tryCall(Duration, LeaseFunction)}.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return as the lock's own method
     * @throws X the exception of the work
     * @throws InterruptedException as the lock's own method
     */
    public <T, X extends Exception> TryResult<T> tryCall(Duration wait, LeaseFunction<T, X> work)
            throws X, InterruptedException {
        return this.<TryResult<T>, X, InterruptedException>observed(call -> lock.tryCall(wait, call.noting(work)));
    }

    /**
     * Observes {@link DistributedLock#tryRun(LeaseAction)}.
     *
     * @param work the work
     * @param <X> the type of its exceptions
     * @return true if it ran
     * @throws X the exception of the work
     */
    public <X extends Exception> boolean tryRun(LeaseAction<X> work) throws X {
        return this.<Boolean, X, RuntimeException>observed(call -> lock.tryRun(call.noting(work)));
    }

    /**
     * Observes {@link DistributedLock#tryRun(Duration, LeaseAction)}.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work
     * @param <X> the type of its exceptions
     * @return true if it ran
     * @throws X the exception of the work
     * @throws InterruptedException as the lock's own method
     */
    public <X extends Exception> boolean tryRun(Duration wait, LeaseAction<X> work) throws X, InterruptedException {
        return this.<Boolean, X, InterruptedException>observed(call -> lock.tryRun(wait, call.noting(work)));
    }

    /**
     * Observes {@link DistributedLock#callAsync} until the future completes. The work begins within the scope of the observation.
     *
     * @param work the work: returns a future at once
     * @param <T> the type of its result
     * @return as the lock's own method
     */
    @CheckReturnValue
    public <T> CompletableFuture<T> callAsync(LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        LockCall call = new LockCall(lock.name(), registry);
        return ended(call, () -> lock.callAsync(scoped(call, work)));
    }

    /**
     * Observes {@link DistributedLock#tryCallAsync}, as {@link #callAsync} does.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work: returns a future at once
     * @param <T> the type of its result
     * @return as the lock's own method
     */
    @CheckReturnValue
    public <T> CompletableFuture<TryResult<T>> tryCallAsync(
            Duration wait, LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        LockCall call = new LockCall(lock.name(), registry);
        return ended(call, () -> lock.tryCallAsync(wait, scoped(call, work)));
    }

    /** The lock refuses null. */
    private static <T> LeaseFunction<? extends CompletionStage<T>, ? extends Exception> scoped(
            LockCall call, LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        return work == null ? work : call.<CompletionStage<T>>scoped(work);
    }

    /** The future of the lock's own, so that its cancellation withdraws. */
    private static <R> CompletableFuture<R> ended(LockCall call, Supplier<CompletableFuture<R>> calling) {
        CompletableFuture<R> future;
        try {
            future = calling.get();
        } catch (Throwable failure) {
            call.end(failure);
            throw failure;
        }
        future.whenComplete((value, failure) -> call.end(failure));
        return future;
    }

    private interface Call<T, X extends Exception, Y extends Exception> {
        T make(LockCall call) throws X, Y;
    }

    private <T, X extends Exception, Y extends Exception> T observed(Call<T, X, Y> made) throws X, Y {
        LockCall call = new LockCall(lock.name(), registry);
        try (Observation.Scope scope = call.open()) {
            return made.make(call);
        } catch (Throwable failure) {
            call.failed(failure);
            throw failure;
        } finally {
            call.end();
        }
    }
}
