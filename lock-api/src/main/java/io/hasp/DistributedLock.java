package io.hasp;

import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One lock name of one client. Holds nothing itself: each acquisition gives an own {@link Lease}. Not reentrant: a second
 * acquisition by the same thread is refused or waits like anybody else's. Thread-safe, and cheap enough to make for every
 * use.
 */
public final class DistributedLock {
    private final Engine engine;
    private final LockName name;
    private final LockOptions options;

    DistributedLock(Engine engine, LockName name, LockOptions options) {
        this.engine = engine;
        this.name = name;
        this.options = options;
    }

    /**
     * What is locked.
     *
     * @return the lock's name
     */
    public String name() {
        return name.value();
    }

    /**
     * Takes the lock, waiting for as long as others hold it. Threads of this client are served in the order in which they
     * came; between clients the backend's {@link LockClient#capabilities} tell.
     *
     * @return a new lease
     * @throws InterruptedException if interrupted, before or during the wait; the caller holds nothing, and what may be left
     *     on the server is withdrawn in the background
     * @throws BackendUnavailableException if the backend refuses, or has been unavailable for
     *     {@link ClientOptions#unavailableAfter} of this wait
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public Lease acquire() throws InterruptedException {
        return await(Durations.FOREVER, true).orElseThrow();
    }

    /**
     * Tries to take the lock in exactly one attempt, bounded by the backend's command timeout. Passes by waiting threads of
     * this client, as {@link java.util.concurrent.locks.ReentrantLock#tryLock()} does. Not interruptible: an interrupt is
     * kept for later.
     *
     * @return empty means one thing: another holder had it. An outage never looks like contention; it throws
     * @throws BackendUnavailableException if the attempt was not answered, or was answered with an error. The caller holds
     *     nothing: a grant whose reply was lost is released in the background, or ends with its lease or session
     * @throws ClientClosedException if the client is closed
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire() {
        try {
            return await(0, false);
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        }
    }

    /**
     * Tries to take the lock, waiting at most {@code wait}. A zero wait is {@link #tryAcquire()}, but interruptible. The wait
     * is measured on a monotonic clock. It overruns where an attempt is unanswered at its end: that is awaited as the one of a
     * zero wait is, by the backend's command timeout at most, so that a lock which is free is had, and an answer decides.
     * Otherwise it overruns by 50 ms at most, plus what the scheduler adds.
     *
     * @param wait zero or more; beyond 36 years it counts as for ever
     * @return empty means one thing: every attempt was answered, and another holder had it for the whole wait
     * @throws InterruptedException as in {@link #acquire}
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     * @throws BackendUnavailableException if the backend refuses, or did not answer the last attempt
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return await(Durations.nanos(Durations.wait(wait)), true);
    }

    /**
     * Like {@link #acquire}, without blocking the caller.
     *
     * @return completes with a new lease on a thread of the engine's, or fails with what {@code acquire} throws. Cancelling
     *     it, or completing it in another way ({@code orTimeout}), withdraws: a lease that comes nevertheless is released
     */
    @CheckReturnValue
    public CompletableFuture<Lease> acquireAsync() {
        return async(Durations.FOREVER, Optional::orElseThrow);
    }

    /**
     * Like {@link #tryAcquire(Duration)}, without blocking the caller.
     *
     * @param wait zero or more
     * @return completes on a thread of the engine's, or fails with what {@code tryAcquire} throws. Cancelling it withdraws
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     */
    @CheckReturnValue
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return async(Durations.nanos(Durations.wait(wait)), lease -> lease);
    }

    /**
     * Runs work under the lock: {@link #acquire}, run, release.
     *
     * @param work what to do; {@link #run} takes work without a result
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned
     * @throws X what the work threw; the lock is released all the same
     * @throws InterruptedException as in {@link #acquire}; the work has not begun
     * @throws LeaseLostException if the lease was lost before the work ended, or its release found that: the work may have
     *     overlapped another holder's. Its result is dropped
     * @throws BackendUnavailableException as in {@link #acquire}; the work has not begun
     * @throws ClientClosedException as in {@link #acquire}; the work has not begun
     */
    public <T, X extends Exception> T call(LeaseFunction<T, X> work) throws X, InterruptedException {
        return finish(acquire(), work);
    }

    /**
     * Runs work without a result under the lock: {@link #acquire}, run, release.
     *
     * @param work what to do
     * @param <X> what it may throw
     * @throws X what the work threw; the lock is released all the same
     * @throws InterruptedException as in {@link #call}
     * @throws LeaseLostException as in {@link #call}
     * @throws BackendUnavailableException as in {@link #call}
     * @throws ClientClosedException as in {@link #call}
     */
    public <X extends Exception> void run(LeaseAction<X> work) throws X, InterruptedException {
        finish(acquire(), DistributedLock.<X>withoutResult(work));
    }

    /**
     * Runs work under the lock if it can be had in time: {@link #tryAcquire(Duration)}, run, release.
     *
     * @param wait zero or more; zero fails fast
     * @param work what to do; {@link #tryRun} takes work without a result
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned; empty if another holder had the lock for the whole wait, so that it did not run, or if
     *     it returned null
     * @throws X what the work threw; the lock is released all the same
     * @throws InterruptedException as in {@link #acquire}; the work has not begun
     * @throws LeaseLostException as in {@link #call}
     * @throws InvalidArgumentException if the wait is negative or null
     * @throws BackendUnavailableException as in {@link #tryAcquire(Duration)}; the work has not begun
     * @throws ClientClosedException as in {@link #acquire}; the work has not begun
     */
    public <T, X extends Exception> Optional<T> tryCall(Duration wait, LeaseFunction<T, X> work)
            throws X, InterruptedException {
        Optional<Lease> lease = tryAcquire(wait);
        return lease.isPresent() ? Optional.ofNullable(finish(lease.get(), work)) : Optional.empty();
    }

    /**
     * Runs work without a result under the lock if it is free: {@link #tryAcquire()}, run, release.
     *
     * @param work what to do
     * @param <X> what it may throw
     * @return whether it ran; false means that another holder had the lock
     * @throws X what the work threw; the lock is released all the same
     * @throws LeaseLostException as in {@link #call}
     * @throws BackendUnavailableException as in {@link #tryAcquire()}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire()}; the work has not begun
     */
    public <X extends Exception> boolean tryRun(LeaseAction<X> work) throws X {
        return ran(tryAcquire(), work);
    }

    /**
     * Runs work without a result under the lock if it can be had in time: {@link #tryAcquire(Duration)}, run, release.
     *
     * @param wait zero or more; zero fails fast
     * @param work what to do
     * @param <X> what it may throw
     * @return whether it ran; false means that another holder had the lock for the whole wait
     * @throws X what the work threw; the lock is released all the same
     * @throws InterruptedException as in {@link #tryCall}
     * @throws LeaseLostException as in {@link #tryCall}
     * @throws InvalidArgumentException as in {@link #tryCall}
     * @throws BackendUnavailableException as in {@link #tryCall}
     * @throws ClientClosedException as in {@link #tryCall}
     */
    public <X extends Exception> boolean tryRun(Duration wait, LeaseAction<X> work) throws X, InterruptedException {
        return ran(tryAcquire(wait), work);
    }

    private static <X extends Exception> boolean ran(Optional<Lease> lease, LeaseAction<X> work) throws X {
        if (lease.isPresent()) {
            finish(lease.get(), DistributedLock.<X>withoutResult(work));
        }
        return lease.isPresent();
    }

    private static <X extends Exception> LeaseFunction<Boolean, X> withoutResult(LeaseAction<X> work) {
        return lease -> {
            work.run(lease);
            return true;
        };
    }

    /**
     * This lock as a {@link java.util.concurrent.locks.Lock}: owned by a thread, reentrant with a local hold count (the same
     * lease and token on re-entry, one hold on the server), interruptible and timed. All views of the same name and client
     * count together.
     *
     * @return a view; nothing is sent
     */
    public ReentrantDistributedLock asLock() {
        return new ReentrantDistributedLock(this, name, options, engine.threadHolds);
    }

    /**
     * Makes every fencing token of this lock greater than a number: for a lock that moves here from another backend, or whose
     * ensemble was built anew. The floor only rises and is kept on the server; one that loses its data loses the floor with
     * it. Blocks until the server has answered.
     *
     * @param token the largest token that the protected store may have seen; every acquisition that begins after this
     *     returned gets a larger one. Those under way may still get a smaller one, and so may threads of another client to
     *     which a lease is passed on just then ({@link HandOff})
     * @throws InvalidArgumentException if the token is negative; nothing was sent
     * @throws UnsupportedCapabilityException if the backend does not offer it; nothing was sent
     * @throws BackendUnavailableException if the backend refuses, or does not answer within its command timeout: the floor
     *     may or may not have been raised, and raising it again is harmless
     * @throws ClientClosedException if the client is closed
     */
    public void raiseTokenFloor(long token) {
        engine.raiseTokenFloor(name, token);
    }

    boolean clientClosed() {
        return engine.closed();
    }

    Lease acquireUninterruptibly() {
        try {
            return await(Durations.FOREVER, false).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        }
    }

    /** What the release finds counts as well: it may be the first to hear that the lock is gone. */
    private static <T, X extends Exception> T finish(Lease held, LeaseFunction<T, X> work) throws X {
        T value;
        try (held) {
            value = work.apply(held);
        }
        LeaseLostException loss = held.loss();
        if (loss != null) {
            throw loss;
        }
        return value;
    }

    private Optional<Lease> await(long wait, boolean interruptibly) throws InterruptedException {
        if (interruptibly && Thread.interrupted()) {
            throw new InterruptedException();
        }
        List<StackTraceElement> place = engine.handles.samplePlace();
        CallerTurns turns = new CallerTurns();
        Contender contender = contender(wait, turns);
        try {
            contender.start();
            turns.runUntil(contender.result(), interruptibly, contender::rest);
        } catch (InterruptedException e) {
            withdraw(contender, "interrupted");
            throw e;
        } catch (RuntimeException | Error broken) {
            // No thread or no memory: nobody would run the steps of a contender that stayed in the queue.
            withdraw(contender, "failed");
            throw broken;
        }
        return outcome(contender.result()).map(tenure -> given(tenure, place, Thread.currentThread()));
    }

    private Contender contender(long wait, Executor turns) {
        if (engine.closed()) {
            throw engine.closedException();
        }
        return new Contender(engine, engine.queues.enter(name), options, wait, turns);
    }

    private Lease given(Tenure tenure, List<StackTraceElement> place, @Nullable Thread holder) {
        Lease lease = new Lease(engine, tenure);
        engine.handles.given(lease, tenure, place, holder);
        return lease;
    }

    private void withdraw(Contender contender, String why) {
        if (!contender.abandon(new CancellationException(why))) {
            contender.result().thenAccept(this::giveBack);
        }
    }

    private void giveBack(Optional<Tenure> tenure) {
        tenure.ifPresent(held -> new Lease(engine, held).releaseAsync());
    }

    private static Optional<Tenure> outcome(CompletableFuture<Optional<Tenure>> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof LockException failure) {
                // Made on another thread perhaps: the caller's own stack is what helps.
                failure.fillInStackTrace();
                throw failure;
            }
            throw e;
        }
    }

    private <T> CompletableFuture<T> async(long wait, Function<Optional<Lease>, T> view) {
        Contender contender;
        try {
            contender = contender(wait, engine.requests());
        } catch (ClientClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
        List<StackTraceElement> place = engine.handles.samplePlace();
        CompletableFuture<T> promise = new CompletableFuture<>();
        contender
                .result()
                .whenCompleteAsync(
                        (tenure, thrown) -> {
                            if (thrown != null) {
                                promise.completeExceptionally(LockException.withoutTrace(Engine.causeOf(thrown)));
                            } else if (!promise.complete(view.apply(tenure.map(held -> given(held, place, null))))) {
                                giveBack(tenure);
                            }
                        },
                        engine.threads.callbacks);
        promise.whenComplete((value, thrown) -> {
            if (!contender.result().isDone()) {
                // Not by us: cancelled, timed out or completed by the caller.
                withdraw(contender, "cancelled");
            }
        });
        try {
            contender.start();
            contender.watchEndOfWait();
        } catch (RuntimeException | Error broken) {
            withdraw(contender, "failed");
            throw broken;
        }
        return promise;
    }

    /** Names the lock, for logs. */
    @Override
    public String toString() {
        return "DistributedLock[" + name + "]";
    }
}
