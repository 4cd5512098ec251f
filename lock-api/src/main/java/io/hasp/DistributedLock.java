package io.hasp;

import io.hasp.engine.Acquisition;
import io.hasp.engine.LeaseControl;
import io.hasp.engine.WaitingCaller;
import io.hasp.engine.lease.FencingTokens;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.threads.EngineClosedException;
import io.hasp.engine.threads.Failures;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import io.hasp.spi.TokenFloor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One lock name of one client. Holds nothing itself: each acquisition gives an own {@link Lease}. Not reentrant: a second
 * acquisition by the same thread is refused or waits like anybody else's. Thread-safe, and cheap enough to make for every
 * use.
 *
 * <p>{@link LockClient#lock} makes one with a single holder at a time. The reading and the writing of a
 * {@link DistributedReadWriteLock}, and a number of permits of a {@link DistributedSemaphore}, are such locks as well: what is said
 * here of another holder is then said of others who hold too much of it, or who wait before this one.
 */
public final class DistributedLock {
    private final ClientContext client;
    private final LockName name;
    private final LockOptions options;
    private final LeaseTerms terms;

    DistributedLock(ClientContext client, LockName name, LockOptions options) {
        this(client, name, options, client.terms(options));
    }

    private DistributedLock(ClientContext client, LockName name, LockOptions options, LeaseTerms terms) {
        this.client = client;
        this.name = name;
        this.options = options;
        this.terms = terms;
    }

    /** A part of a lock that several may share. */
    static DistributedLock sharing(ClientContext client, LockName name, LockOptions options, Share share) {
        return new DistributedLock(client, name, options, client.terms(options).withShare(share));
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
     * came (of a lock that several share, those that come at the same time in any order); between clients the backend's
     * {@link LockClient#capabilities} tell.
     *
     * @return a new lease
     * @throws InterruptedException if interrupted, before or during the wait; the caller holds nothing, and what may be left
     *     on the server is withdrawn in the background
     * @throws BackendException if the backend refuses, or has been unavailable for
     *     {@link ClientOptions#unavailableAfter} of this wait
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public Lease acquire() throws InterruptedException {
        return await(Nanos.FOREVER, true).orElseThrow();
    }

    /**
     * Tries to take the lock in exactly one attempt, bounded by the backend's command timeout. Passes by waiting threads of
     * this client, as {@link java.util.concurrent.locks.ReentrantLock#tryLock()} does. Not interruptible: an interrupt is
     * kept for later.
     *
     * <p>If the holder is another client that {@linkplain ClientOptions#keep keeps} locks, the attempt is repeated for at most 40 ms: by
     * then that client has given the lock back, or has said that it is in use. If it says
     * nothing, because it is paused, far away or a message was lost, the lock counts as held.
     *
     * <p>If this client is giving the lock back ({@link Lease#releaseAsync}, a lease that is over, a release that an outage held up), that is
     * awaited, by the backend's command timeout, and the attempt is made again.
     *
     * @return empty means one thing: another holder had it, and not one that gave it back before. An outage never looks like contention;
     *     it throws
     * @throws BackendException if the attempt was not answered, or was answered with an error. The caller holds
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
     * Rarely the answer only leads to another attempt, which is awaited likewise: the server no longer knew the request, its
     * grant was lost on the way, the caller before it gave up unanswered, or this client was still giving the lock back. Otherwise it overruns by 50 ms at most, plus what
     * the scheduler adds.
     *
     * @param wait zero or more; beyond 36 years it counts as for ever
     * @return empty means one thing: every attempt was answered, and another holder had it for the whole wait
     * @throws InterruptedException as in {@link #acquire}
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     * @throws BackendException if the backend refuses, or did not answer the last attempt
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return await(Nanos.of(Durations.wait(wait)), true);
    }

    /**
     * Like {@link #acquire}, without blocking the caller. {@link #callAsync} is simpler and releases the lease in every case: take this method
     * if the lease outlives one piece of work.
     *
     * <p>Cancelling the future, or completing it in another way ({@code orTimeout}), withdraws: a lease that comes nevertheless is released.
     * That holds for futures derived from it as well ({@code thenApply}, {@code thenCompose} and so on): cancelling one of them withdraws the
     * acquisition for all. It does not hold for {@code minimalCompletionStage}. A lease that has been granted belongs to the functions that receive it. If a derived future is cancelled
     * between the grant and the run of its function on another executor, the function does not run, and the lease stays held; the client
     * logs such a lease once the garbage collector has found it.
     *
     * @return completes with a new lease on a thread of the engine's, or fails with what {@code acquire} throws
     */
    @CheckReturnValue
    public CompletableFuture<Lease> acquireAsync() {
        return async(Nanos.FOREVER, Optional::orElseThrow);
    }

    /**
     * Like {@link #tryAcquire(Duration)}, without blocking the caller.
     *
     * @param wait zero or more
     * @return completes on a thread of the engine's, or fails with what {@code tryAcquire} throws. Cancelling it, or a future derived from
     *     it, withdraws as with {@link #acquireAsync}
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     */
    @CheckReturnValue
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return async(Nanos.of(Durations.wait(wait)), lease -> lease);
    }

    /**
     * Runs work under the lock: {@link #acquire}, run, release.
     *
     * @param work what to do; {@link #run} takes work without a result
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned
     * @throws X what the work threw; the lock is released all the same. If the lease was lost as well, that is suppressed in it. If
     *     the work was {@linkplain OnLoss#INTERRUPT interrupted}, it is the other way round
     * @throws InterruptedException as in {@link #acquire}; the work has not begun
     * @throws LeaseLostException if the lease was lost, or given back by the end of its client, before the work ended, or if its
     *     release found that: the work may have overlapped another holder's. Its result is dropped
     * @throws InvalidArgumentException if the work is null; nothing was sent
     * @throws BackendException as in {@link #acquire}; the work has not begun
     * @throws ClientClosedException as in {@link #acquire}; the work has not begun
     */
    public <T, X extends Exception> T call(LeaseFunction<T, X> work) throws X, InterruptedException {
        requireWork(work);
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
     * @throws BackendException as in {@link #call}
     * @throws ClientClosedException as in {@link #call}
     */
    public <X extends Exception> void run(LeaseAction<X> work) throws X, InterruptedException {
        requireWork(work);
        finish(acquire(), DistributedLock.<X>withoutResult(work));
    }

    /**
     * Runs work under the lock if it can be had in time: {@link #tryAcquire(Duration)}, run, release.
     *
     * @param wait zero or more; zero fails fast
     * @param work what to do; {@link #tryRun} takes work without a result
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned, or {@link TryResult.Busy} if another holder had the lock for the whole wait, so that it did not run
     * @throws X what the work threw; the lock is released all the same
     * @throws InterruptedException as in {@link #acquire}; the work has not begun
     * @throws LeaseLostException as in {@link #call}
     * @throws InvalidArgumentException if the wait is negative or null
     * @throws BackendException as in {@link #tryAcquire(Duration)}; the work has not begun
     * @throws ClientClosedException as in {@link #acquire}; the work has not begun
     */
    public <T, X extends Exception> TryResult<T> tryCall(Duration wait, LeaseFunction<T, X> work)
            throws X, InterruptedException {
        requireWork(work);
        return called(tryAcquire(wait), work);
    }

    /**
     * Runs work under the lock if it is free: {@link #tryAcquire()}, run, release.
     *
     * @param work what to do; {@link #tryRun(LeaseAction)} takes work without a result
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned, or {@link TryResult.Busy} if another holder had the lock, so that it did not run
     * @throws X what the work threw; the lock is released all the same
     * @throws LeaseLostException as in {@link #call}
     * @throws BackendException as in {@link #tryAcquire()}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire()}; the work has not begun
     */
    public <T, X extends Exception> TryResult<T> tryCall(LeaseFunction<T, X> work) throws X {
        requireWork(work);
        return called(tryAcquire(), work);
    }

    /**
     * Runs work without a result under the lock if it is free: {@link #tryAcquire()}, run, release.
     *
     * @param work what to do
     * @param <X> what it may throw
     * @return whether it ran; false means that another holder had the lock
     * @throws X what the work threw; the lock is released all the same
     * @throws LeaseLostException as in {@link #call}
     * @throws BackendException as in {@link #tryAcquire()}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire()}; the work has not begun
     */
    public <X extends Exception> boolean tryRun(LeaseAction<X> work) throws X {
        requireWork(work);
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
     * @throws BackendException as in {@link #tryCall}
     * @throws ClientClosedException as in {@link #tryCall}
     */
    public <X extends Exception> boolean tryRun(Duration wait, LeaseAction<X> work) throws X, InterruptedException {
        requireWork(work);
        return ran(tryAcquire(wait), work);
    }

    /**
     * Runs work that ends with a future under the lock, without blocking the caller: {@link #acquireAsync}, run, release when the
     * work's future completes. The work itself is called on a thread of the engine's and must not block.
     *
     * @param work what to do: returns a future at once
     * @param <T> what it completes with
     * @return completes when the lock was given back, with what the work's future completed with. Fails as {@link #call} throws; with
     *     what the work threw; and with {@link InvalidArgumentException} if the work returned null. Cancelling it withdraws, or
     *     cancels the work's future
     * @throws InvalidArgumentException if the work is null; nothing was sent
     */
    @CheckReturnValue
    public <T> CompletableFuture<T> callAsync(LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        requireWork(work);
        return new AsyncWork<T, T>(work, value -> value)
                .under(async(Nanos.FOREVER, lease -> lease), null, client.engine.threads().callbacks);
    }

    /**
     * Like {@link #callAsync}, if the lock can be had in time.
     *
     * @param wait zero or more; zero fails fast
     * @param work what to do: returns a future at once
     * @param <T> what it completes with
     * @return as {@link #callAsync}, or completes with {@link TryResult.Busy} if another holder had the lock for the whole wait, so that
     *     the work did not run
     * @throws InvalidArgumentException if the work is null, or the wait is negative or null; nothing was sent
     */
    @CheckReturnValue
    public <T> CompletableFuture<TryResult<T>> tryCallAsync(
            Duration wait, LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        requireWork(work);
        return new AsyncWork<T, TryResult<T>>(work, TryResult.Returned::new)
                .under(tryAcquireAsync(wait), TryResult.busy(), client.engine.threads().callbacks);
    }

    private static void requireWork(Object work) {
        InvalidArgumentException.required("the work", work);
    }

    private <T, X extends Exception> TryResult<T> called(Optional<Lease> lease, LeaseFunction<T, X> work) throws X {
        return lease.isPresent() ? new TryResult.Returned<>(finish(lease.get(), work)) : TryResult.busy();
    }

    private <X extends Exception> boolean ran(Optional<Lease> lease, LeaseAction<X> work) throws X {
        if (lease.isPresent()) {
            finish(lease.get(), DistributedLock.<X>withoutResult(work));
        }
        return lease.isPresent();
    }

    static <X extends Exception> LeaseFunction<Boolean, X> withoutResult(LeaseAction<X> work) {
        return lease -> {
            work.run(lease);
            return true;
        };
    }

    /**
     * This lock as a {@link java.util.concurrent.locks.Lock}: owned by a thread, reentrant with a local hold count (the same
     * lease and token on re-entry, one hold on the server), interruptible and timed. All views of the same name and client
     * count together; of a semaphore, those of the same number of permits.
     *
     * @return a view; nothing is sent
     */
    public ReentrantDistributedLock asReentrantLock() {
        return new ReentrantDistributedLock(this, name, options, client.threadHolds, terms.share());
    }

    /**
     * Makes every fencing token of this lock greater than a number: for a lock that moves here from another backend, or whose
     * ensemble was built anew. The floor only rises and is kept on the server; one that loses its data loses the floor with
     * it. Blocks until the server has answered.
     *
     * @param token the largest token that the protected store may have seen; every acquisition that begins after this
     *     returned gets a larger one. Those under way may still get a smaller one, and so may threads of another client to
     *     which a lease, or a place in the queue, is passed on just then ({@link ClientOptions#handOff})
     * @throws InvalidArgumentException if the token is negative; nothing was sent
     * @throws UnsupportedCapabilityException if the backend does not offer it; nothing was sent
     * @throws BackendException if the backend refuses, or does not answer within its command timeout: the floor
     *     may or may not have been raised, and raising it again is harmless
     * @throws ClientClosedException if the client is closed
     */
    public void raiseTokenFloor(long token) {
        if (!FencingTokens.validFloor(token)) {
            throw InvalidArgumentException.ofLock(
                    name.value(),
                    "the token floor is " + token
                            + ": it must be zero or more, and small enough that a larger token can follow");
        }
        if (client.engine.closing()) {
            throw client.closedException(name);
        }
        TokenFloor floor = client.engine
                .tokenFloor()
                .orElseThrow(() -> new UnsupportedCapabilityException(
                        "this backend can't raise the token floor of lock '" + name + "'", name.value()));
        try {
            client.engine.raiseTokenFloor(floor, name, token);
        } catch (CompletionException e) {
            if (e.getCause() instanceof EngineClosedException) {
                throw client.closedException(name);
            }
            throw ClientContext.failed(
                    "could not raise the token floor of lock '" + name + "' to " + LockEvents.token(token),
                    Failures.of(e),
                    name);
        }
    }

    Lease acquireUninterruptibly() {
        try {
            return await(Nanos.FOREVER, false).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        }
    }

    /** What the release finds counts as well: it may be the first to hear that the lock is gone. */
    private <T, X extends Exception> T finish(Lease held, LeaseFunction<T, X> work) throws X {
        T value;
        try (WholeHold end = new WholeHold(held)) {
            value = held.working(work);
        } catch (Throwable failure) {
            LeaseLostException loss = held.cutShort();
            if (loss != null && !(failure instanceof LeaseLostException)) {
                failure.addSuppressed(loss);
            }
            throw failure;
        }
        LeaseLostException loss = held.cutShort();
        if (loss != null) {
            throw loss;
        }
        return value;
    }

    /** Gives back what is left of a hold. */
    private record WholeHold(Lease first) implements AutoCloseable {
        @Override
        public void close() {
            first.latest().giveBack();
        }
    }

    private Optional<Lease> await(long wait, boolean interruptibly) throws InterruptedException {
        boolean entered = client.engine.threads().enterUser();
        try {
            return awaited(wait, interruptibly);
        } finally {
            client.events.help();
            client.engine.threads().leaveUser(entered);
        }
    }

    private Optional<Lease> awaited(long wait, boolean interruptibly) throws InterruptedException {
        if (interruptibly && Thread.interrupted()) {
            throw new InterruptedException();
        }
        requireOpen();
        List<StackTraceElement> place = client.handles.samplePlace();
        FlightRecording.@Nullable AcquireSpan span = FlightRecording.acquire();
        FlightRecording.@Nullable WaitSpan waiting = FlightRecording.waiting();
        WaitingCaller executor = new WaitingCaller();
        Acquisition acquisition = client.engine.acquire(name, terms, wait, executor);
        boolean ended = false;
        try {
            try {
                acquisition.await(executor, interruptibly, () -> rest(acquisition, waiting));
            } finally {
                if (waiting != null) {
                    waiting.end(name);
                }
            }
            executor.leave();
            Outcome outcome = outcome(acquisition.result());
            if (span != null) {
                span.end(name, outcome);
            }
            Optional<Lease> lease = lease(acquisition, outcome, place, Thread.currentThread());
            ended = true;
            return lease;
        } catch (BackendException | ClientClosedException e) {
            ended = true;
            // Made further down: the caller's own stack is what helps.
            e.fillInStackTrace();
            throw e;
        } finally {
            if (!ended) {
                // Interrupted, or broken off: no other thread would make its requests or release its lease.
                acquisition.abandon();
            }
        }
    }

    /** The caller goes to sleep. */
    private void rest(Acquisition acquisition, FlightRecording.@Nullable WaitSpan waiting) {
        HeldLease blockedBy = acquisition.blockedBy();
        if (waiting != null) {
            waiting.begin(blockedBy != null);
        }
        client.handles.waits(blockedBy);
        acquisition.sleep();
    }

    private void requireOpen() {
        if (client.engine.closing()) {
            throw client.closedException(name);
        }
    }

    /** What a caller is given for an outcome: a lease, nothing if others hold the lock, or an exception. */
    Optional<Lease> lease(
            Acquisition acquisition, Outcome outcome, List<StackTraceElement> place, @Nullable Thread holder) {
        if (outcome instanceof Outcome.Acquired acquired) {
            LeaseControl control = acquisition.lease(acquired);
            Lease lease = new Lease(client, control, client.onLoss(options));
            client.handles.given(lease, control, lease.lossTasks(), place, holder);
            return Optional.of(lease);
        }
        if (outcome instanceof Outcome.Contended) {
            return Optional.empty();
        }
        throw failure(outcome);
    }

    private RuntimeException failure(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return ClientContext.failed("could not lock '" + name + "'" + ofShare(), failed.failure(), name);
        }
        return outcome instanceof Outcome.Closed
                ? client.closedException(name)
                : new CancellationException("cancelled");
    }

    private String ofShare() {
        Share share = terms.share();
        if (share.isExclusive()) {
            return "";
        } else if (share.capacity() == Share.READ_WRITE) {
            return share.equals(Share.READ) ? " for reading" : " for writing";
        }
        return " (" + share.weight() + " of " + share.capacity() + " permits)";
    }

    private static Outcome outcome(CompletableFuture<Outcome> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof EngineClosedException) {
                return Outcome.CLOSED;
            }
            throw e;
        }
    }

    private <T> CompletableFuture<T> async(long wait, Function<Optional<Lease>, T> view) {
        boolean entered = client.engine.threads().enterUser();
        try {
            return begun(wait, view);
        } finally {
            client.engine.threads().leaveUser(entered);
        }
    }

    private <T> CompletableFuture<T> begun(long wait, Function<Optional<Lease>, T> view) {
        if (client.engine.closing()) {
            return CompletableFuture.failedFuture(client.closedException(name));
        }
        List<StackTraceElement> place = client.handles.samplePlace();
        FlightRecording.@Nullable AcquireSpan span = FlightRecording.acquire();
        CompletableFuture<T> promise = new AcquisitionFuture<>();
        Acquisition acquisition = client.engine.acquire(name, terms, wait, client.engine.pool());
        if (span != null) {
            acquisition.result().thenAccept(outcome -> span.end(name, outcome));
        }
        try {
            Runnable outcome = () -> complete(promise, acquisition, place, view);
            acquisition
                    .result()
                    .whenComplete(
                            (any, thrown) -> client.engine.threads().callbacks.execute(outcome));
            promise.whenComplete((value, thrown) -> {
                if (!acquisition.result().isDone() || promise.isCancelled()) {
                    // Not by us: cancelled, timed out or completed by the caller. A lease may be on its way to it.
                    acquisition.abandon();
                }
            });
            acquisition.awaitElsewhere();
        } catch (RuntimeException | Error broken) {
            acquisition.abandon();
            throw broken;
        }
        return promise;
    }

    /** A lease that nobody takes, since the caller completed the promise in another way, is given back. */
    private <T> void complete(
            CompletableFuture<T> promise,
            Acquisition acquisition,
            List<StackTraceElement> place,
            Function<Optional<Lease>, T> view) {
        try {
            Optional<Lease> lease = lease(acquisition, outcome(acquisition.result()), place, null);
            complete(promise, view.apply(lease), lease);
        } catch (BackendException | ClientClosedException | CancellationException failure) {
            promise.completeExceptionally(LockException.withoutTrace(failure));
        } catch (Throwable broken) {
            promise.completeExceptionally(broken);
            acquisition.abandon();
        }
    }

    /** The promise's own callbacks count as work under the lease. */
    private static <T> void complete(CompletableFuture<T> promise, T value, Optional<Lease> lease) {
        if (lease.isEmpty()) {
            promise.complete(value);
            return;
        }
        lease.get().beginning(() -> {
            if (!promise.complete(value)) {
                lease.get().releaseAsync();
            }
        });
    }

    /** Names the lock, for logs. */
    @Override
    public String toString() {
        return "DistributedLock[" + name + ofShare() + "]";
    }
}
