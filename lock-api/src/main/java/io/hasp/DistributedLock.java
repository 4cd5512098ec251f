package io.hasp;

import io.hasp.engine.lease.FencingTokens;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.threads.EngineClosedException;
import io.hasp.engine.threads.Failures;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import io.hasp.spi.TokenFloor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Acquires leases on one lock name of one client. Holds nothing itself: each acquisition returns a {@link Lease} of its own. Thread-safe.
 * Cheap to create, without a request: create one wherever you need it.
 *
 * <p>Not reentrant: a second acquisition by the same thread is refused or waits, like any other. {@link #asReentrantLock} returns a view
 * that is reentrant.
 *
 * <p>{@link LockClient#lock} makes a lock with a single holder at a time. The two locks of a {@link DistributedReadWriteLock}, and a number
 * of permits of a {@link DistributedSemaphore}, are also such locks. There, "another holder" means holders that leave too little room, or
 * waiters that come first.
 *
 * <p>A call that throws holds nothing. A request that may still have an effect on the server is withdrawn in the background; if that fails
 * as well, its effect ends with its lease or session. Waits are measured on a monotonic clock.
 */
public final class DistributedLock {
    private final ClientContext client;
    private final LockName name;
    private final LockOptions options;
    private final LeaseTerms terms;
    final Acquirer acquirer;

    DistributedLock(ClientContext client, LockName name, LockOptions options) {
        this(client, name, options, client.terms(options));
    }

    private DistributedLock(ClientContext client, LockName name, LockOptions options, LeaseTerms terms) {
        this.client = client;
        this.name = name;
        this.options = options;
        this.terms = terms;
        this.acquirer = new Acquirer(client, name, options, terms);
    }

    /** The same lock under another name of its holder. */
    DistributedLock labelled(String label) {
        return new DistributedLock(client, name, options, terms.withLabel(label));
    }

    /** A part of a lock that several holders may share. */
    static DistributedLock sharing(ClientContext client, LockName name, LockOptions options, Share share) {
        return new DistributedLock(client, name, options, client.terms(options).withShare(share));
    }

    /**
     * Returns the name of the lock.
     *
     * @return the lock's name
     */
    public String name() {
        return name.value();
    }

    /**
     * Acquires the lock, and waits for as long as others hold it. Threads of this client are served first come, first served; for a shared
     * lock, threads that come at the same time are served in any order. {@link LockClient#capabilities} describes the order between
     * clients.
     *
     * @return a new lease
     * @throws InterruptedException if interrupted, before or during the wait
     * @throws BackendException if the backend refuses, or has been unavailable for {@link ClientOptions#unavailableAfter} of this wait
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public Lease acquire() throws InterruptedException {
        return acquirer.await(Nanos.FOREVER, true).orElseThrow();
    }

    /**
     * Tries to acquire the lock in one attempt, bounded by the backend's command timeout. Overtakes waiting threads of this client, as
     * {@link java.util.concurrent.locks.ReentrantLock#tryLock()} does. Not interruptible: an interrupt is kept for later.
     *
     * <p>The attempt is repeated in two cases only. If the holder is a client that {@linkplain ClientOptions#keep keeps} locks, attempts go
     * on for at most 40 ms, until that client has released the lock or has confirmed that it uses it. A holder that does not answer in this
     * time (it is paused, far away, or a message was lost) counts as a holder. If this client itself is releasing the lock
     * ({@link Lease#releaseAsync}, a lease that is over, a release that an outage delays), the call waits for the release, at most the
     * backend's command timeout.
     *
     * @return empty if another holder had the lock and did not release it as described above; never because of an outage
     * @throws BackendException if the attempt failed or was not answered
     * @throws ClientClosedException if the client is closed
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire() {
        try {
            return acquirer.await(0, false);
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        }
    }

    /**
     * Tries to acquire the lock, and waits at most {@code wait}. A zero wait is {@link #tryAcquire()}, but interruptible.
     *
     * <p>If the last attempt is unanswered when the wait ends, the call waits for that answer, at most one command timeout longer, so that
     * it never misses a free lock. In rare cases the answer leads to one more attempt, which is awaited in the same way: the server no
     * longer had the request, its grant was lost on the way, the caller before it gave up unanswered, or this client was still releasing
     * the lock. Otherwise the call overruns by at most 50 ms, plus the delay of the scheduler.
     *
     * @param wait zero or more; more than 36 years means without limit
     * @return empty if every attempt was answered, and another holder had the lock for the whole wait
     * @throws InterruptedException if interrupted, before or during the wait
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     * @throws BackendException if the backend refuses, or did not answer the last attempt
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return acquirer.await(Nanos.of(Durations.wait(wait)), true);
    }

    /**
     * Acquires the lock like {@link #acquire}, without blocking the caller. Prefer {@link #callAsync}, which releases the lease in every
     * case; take this method if the lease outlives one piece of work.
     *
     * <p>Cancelling the future, or completing it in another way ({@code orTimeout}), withdraws the acquisition: a lease that arrives
     * nevertheless is released. So does cancelling a future derived from it ({@code thenApply}, {@code thenCompose} and so on), for all
     * derived futures. A {@code minimalCompletionStage} withdraws nothing.
     *
     * <p>A granted lease belongs to the functions that receive it. If a derived future is cancelled between the grant and the run of its
     * function on another executor, the function does not run, and the lease stays held. The client logs such a lease once the garbage
     * collector has found it.
     *
     * @return completes with a new lease on a thread of the engine, or fails with the exceptions of {@code acquire}
     */
    @CheckReturnValue
    public CompletableFuture<Lease> acquireAsync() {
        return acquirer.async(Nanos.FOREVER, Optional::orElseThrow);
    }

    /**
     * Tries to acquire the lock like {@link #tryAcquire(Duration)}, without blocking the caller.
     *
     * @param wait zero or more
     * @return completes on a thread of the engine, or fails with the exceptions of {@code tryAcquire}. Cancelling the future, or a derived
     *     one, withdraws the acquisition as with {@link #acquireAsync}
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     */
    @CheckReturnValue
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return acquirer.async(Nanos.of(Durations.wait(wait)), lease -> lease);
    }

    /**
     * Runs work under the lock: {@link #acquire}, run, release.
     *
     * @param work the work; {@link #run} takes work without a result
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work
     * @throws X the exception of the work, after the lock is released. A loss of the lease is suppressed in it; if the work was
     *     {@linkplain OnLoss#INTERRUPT interrupted}, the loss is thrown and this exception is suppressed
     * @throws InterruptedException as in {@link #acquire}; the work has not begun
     * @throws LeaseLostException if the lease was lost, or given back by the end of its client, before the work ended, or if the release
     *     found that: the work may have overlapped that of another holder. Its result is dropped
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
     * @param work the work
     * @param <X> the type of its exceptions
     * @throws X as in {@link #call}
     * @throws InterruptedException as in {@link #call}
     * @throws LeaseLostException as in {@link #call}
     * @throws InvalidArgumentException as in {@link #call}
     * @throws BackendException as in {@link #call}
     * @throws ClientClosedException as in {@link #call}
     */
    public <X extends Exception> void run(LeaseAction<X> work) throws X, InterruptedException {
        requireWork(work);
        finish(acquire(), DistributedLock.<X>withoutResult(work));
    }

    /**
     * Runs work under the lock if it is acquired in time: {@link #tryAcquire(Duration)}, run, release.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work; {@link #tryRun} takes work without a result
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work, or {@link TryResult.Busy} if another holder had the lock for the whole wait: the work did not run
     * @throws X as in {@link #call}
     * @throws InterruptedException as in {@link #tryAcquire(Duration)}; the work has not begun
     * @throws LeaseLostException as in {@link #call}
     * @throws InvalidArgumentException if the work is null, or the wait is negative or null; nothing was sent
     * @throws BackendException as in {@link #tryAcquire(Duration)}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire(Duration)}; the work has not begun
     */
    public <T, X extends Exception> TryResult<T> tryCall(Duration wait, LeaseFunction<T, X> work)
            throws X, InterruptedException {
        requireWork(work);
        return called(tryAcquire(wait), work);
    }

    /**
     * Runs work under the lock if it is free: {@link #tryAcquire()}, run, release.
     *
     * @param work the work; {@link #tryRun(LeaseAction)} takes work without a result
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work, or {@link TryResult.Busy} if another holder had the lock: the work did not run
     * @throws X as in {@link #call}
     * @throws LeaseLostException as in {@link #call}
     * @throws InvalidArgumentException as in {@link #call}
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
     * @param work the work
     * @param <X> the type of its exceptions
     * @return true if the work ran; false if another holder had the lock
     * @throws X as in {@link #call}
     * @throws LeaseLostException as in {@link #call}
     * @throws InvalidArgumentException as in {@link #call}
     * @throws BackendException as in {@link #tryAcquire()}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire()}; the work has not begun
     */
    public <X extends Exception> boolean tryRun(LeaseAction<X> work) throws X {
        requireWork(work);
        return ran(tryAcquire(), work);
    }

    /**
     * Runs work without a result under the lock if it is acquired in time: {@link #tryAcquire(Duration)}, run, release.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work
     * @param <X> the type of its exceptions
     * @return true if the work ran; false if another holder had the lock for the whole wait
     * @throws X as in {@link #call}
     * @throws InterruptedException as in {@link #tryCall(Duration, LeaseFunction)}
     * @throws LeaseLostException as in {@link #call}
     * @throws InvalidArgumentException as in {@link #tryCall(Duration, LeaseFunction)}
     * @throws BackendException as in {@link #tryCall(Duration, LeaseFunction)}
     * @throws ClientClosedException as in {@link #tryCall(Duration, LeaseFunction)}
     */
    public <X extends Exception> boolean tryRun(Duration wait, LeaseAction<X> work) throws X, InterruptedException {
        requireWork(work);
        return ran(tryAcquire(wait), work);
    }

    /**
     * Runs asynchronous work under the lock, without blocking the caller: {@link #acquireAsync}, run, release when the future of the work
     * completes. The work itself is called on a thread of the engine and must not block.
     *
     * @param work the work: returns a future at once
     * @param <T> the type of its result
     * @return completes after the release, with the result of the work's future. Fails with the exceptions of {@link #call}, with the
     *     exception of the work, and with {@link InvalidArgumentException} if the work returned null. Cancelling it withdraws the
     *     acquisition, or cancels the future of the work
     * @throws InvalidArgumentException if the work is null; nothing was sent
     */
    @CheckReturnValue
    public <T> CompletableFuture<T> callAsync(LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        requireWork(work);
        return new AsyncWork<Lease, T, T>(work::apply, value -> value)
                .under(
                        acquirer.async(Nanos.FOREVER, lease -> lease),
                        Lease::workHold,
                        null,
                        client.engine.threads().callbacks);
    }

    /**
     * Runs asynchronous work like {@link #callAsync}, if the lock is acquired in time.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work: returns a future at once
     * @param <T> the type of its result
     * @return as {@link #callAsync}, or completes with {@link TryResult.Busy} if another holder had the lock for the whole wait: the work
     *     did not run
     * @throws InvalidArgumentException if the work is null, or the wait is negative or null; nothing was sent
     */
    @CheckReturnValue
    public <T> CompletableFuture<TryResult<T>> tryCallAsync(
            Duration wait, LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        requireWork(work);
        return new AsyncWork<Lease, T, TryResult<T>>(work::apply, TryResult.Returned::new)
                .under(tryAcquireAsync(wait), Lease::workHold, TryResult.busy(), client.engine.threads().callbacks);
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
     * Returns this lock as a {@link java.util.concurrent.locks.Lock}: owned by a thread, interruptible, timed, and reentrant with a local
     * hold count. Re-entry uses the same lease and token; the server has one hold. All views of one name and client count together; for a
     * semaphore, all views of the same number of permits.
     *
     * @return a view; nothing is sent
     */
    public ReentrantDistributedLock asReentrantLock() {
        return new ReentrantDistributedLock(this, name, options, client.threadHolds, terms.share());
    }

    /**
     * Makes every later fencing token of this lock greater than a number, for a lock that moves here from another backend, or whose
     * ensemble was built anew. The floor only rises. The server keeps it, and loses it if it loses its data. Blocks until the server has
     * answered.
     *
     * <p>Every acquisition that begins after the return gets a larger token. Not guaranteed: an acquisition that is under way may still get
     * a smaller one, and so may a thread of another client that takes over a lease or a place in the queue at that moment
     * ({@link ClientOptions#handOff}).
     *
     * @param token the largest token that the protected store may have seen
     * @throws InvalidArgumentException if the token is negative or too large for a larger one to follow; nothing was sent
     * @throws UnsupportedCapabilityException if the backend does not offer it; nothing was sent
     * @throws BackendException if the backend refuses, or does not answer within its command timeout: the floor may or may not have been
     *     raised. Raising it again is harmless
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

    boolean isOf(ClientContext other) {
        return client == other;
    }

    LockName lockName() {
        return name;
    }

    LockOptions options() {
        return options;
    }

    LeaseTerms terms() {
        return terms;
    }

    Lease acquireUninterruptibly() {
        try {
            return acquirer.await(Nanos.FOREVER, false).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        }
    }

    /** Checks for a loss after the release as well: the release may be the first to find it. */
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

    /** Releases the latest lease of a hold, which a downgrade may have replaced. */
    private record WholeHold(Lease first) implements AutoCloseable {
        @Override
        public void close() {
            first.latest().giveBack();
        }
    }

    /** Names the lock, for logs. */
    @Override
    public String toString() {
        return "DistributedLock[" + name + acquirer.share() + "]";
    }
}
