package io.hasp;

import io.hasp.engine.threads.Nanos;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Acquires several locks of one client together: all of them or none. Holds nothing itself. Thread-safe. Cheap to create, without a request,
 * by {@link LockClient#allOf(DistributedLock...)}.
 *
 * <p>The locks are requested at the same time, so free locks cost about one round trip. If one is not free, the call keeps the locks before
 * it in an order that is the same in every process (by the UTF-8 bytes of their names), releases the others, and waits for that one. So
 * calls of {@code allOf} never deadlock with each other, in whatever order their locks are given. A call that waits may hold some of the
 * locks until it gets all or gives up. Code that holds a lock and requests another one itself has to keep an order of its own.
 *
 * <p>One wait covers all locks. It is measured, and ends, as the wait for one lock does. After a timeout, an interrupt, a cancellation, a
 * failure or the end of the client nothing is held and nothing is renewed; a request that may still have an effect on the server is
 * withdrawn in the background.
 *
 * <p>Not reentrant, and there is no reentrant view: a lock that the calling thread holds already is waited for like any other.
 */
public final class MultiLock {
    /** The largest number of locks. */
    static final int MOST = 64;

    /** The same in every process. */
    private static final Comparator<DistributedLock> ORDER =
            Comparator.comparing(lock -> lock.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final ClientContext client;
    private final List<DistributedLock> locks;
    private final MultiAcquirer acquirer;

    /**
     * Works under several locks, and returns a result.
     *
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     */
    @FunctionalInterface
    public interface Work<T, X extends Exception> {

        /**
         * Does the work.
         *
         * @param lease held when the work begins; send the token of its lock with every protected write
         * @return the result
         * @throws X an exception of the work; the locks are released all the same
         */
        T apply(MultiLease lease) throws X;
    }

    /**
     * Works under several locks, without a result.
     *
     * @param <X> the type of its exceptions
     */
    @FunctionalInterface
    public interface Action<X extends Exception> {

        /**
         * Does the work.
         *
         * @param lease held when the work begins; send the token of its lock with every protected write
         * @throws X an exception of the work; the locks are released all the same
         */
        void run(MultiLease lease) throws X;
    }

    private MultiLock(ClientContext client, List<DistributedLock> locks) {
        this.client = client;
        this.locks = locks;
        this.acquirer = new MultiAcquirer(client, locks);
    }

    static MultiLock of(ClientContext client, Collection<DistributedLock> locks) {
        InvalidArgumentException.required("the locks", locks);
        List<DistributedLock> sorted =
                locks.stream().map(lock -> checked(client, lock)).sorted(ORDER).toList();
        if (sorted.isEmpty() || sorted.size() > MOST) {
            throw new InvalidArgumentException("allOf has " + sorted.size() + " locks: it must have from 1 to " + MOST);
        }
        for (int i = 1; i < sorted.size(); i++) {
            String name = sorted.get(i).name();
            if (name.equals(sorted.get(i - 1).name())) {
                throw InvalidArgumentException.ofLock(
                        name, "allOf has lock '" + name + "' twice: each name may occur once, whatever its kind");
            }
        }
        return new MultiLock(client, sorted);
    }

    private static DistributedLock checked(ClientContext client, DistributedLock lock) {
        InvalidArgumentException.required("a lock of allOf", lock);
        if (!lock.isOf(client)) {
            throw InvalidArgumentException.ofLock(
                    lock.name(),
                    "lock '" + lock.name() + "' is of another client: allOf takes locks of its own client");
        }
        lock.options().takenAtLeast().ifPresent(least -> {
            throw InvalidArgumentException.ofLock(
                    lock.name(),
                    "lock '" + lock.name() + "' has takenAtLeast=" + least
                            + ": allOf can't take it, because it may have to release it at once");
        });
        return lock;
    }

    /**
     * Returns the names of the locks.
     *
     * @return in the order in which they are waited for; unmodifiable
     */
    public List<String> names() {
        return locks.stream().map(DistributedLock::name).toList();
    }

    /**
     * Acquires all locks, and waits for as long as others hold one of them.
     *
     * @return a new lease of all locks
     * @throws InterruptedException if interrupted, before or during the wait
     * @throws BackendException if the backend refuses, or has been unavailable for {@link ClientOptions#unavailableAfter} of the wait for
     *     one lock
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public MultiLease acquire() throws InterruptedException {
        return acquirer.await(Nanos.FOREVER, true).orElseThrow();
    }

    /**
     * Tries to acquire all locks in one attempt for each, as {@link DistributedLock#tryAcquire()} does. Not interruptible: an interrupt is
     * kept for later.
     *
     * @return empty if another holder had one of the locks; never because of an outage. Nothing is held then
     * @throws BackendException if the attempt for the first lock that was not acquired failed or was not answered
     * @throws LeaseLostException if a lease ended twice before the last lock was acquired: it is too short
     * @throws ClientClosedException if the client is closed
     */
    @CheckReturnValue
    public Optional<MultiLease> tryAcquire() {
        try {
            return acquirer.await(0, false);
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        }
    }

    /**
     * Tries to acquire all locks, and waits at most {@code wait} for all of them together. A zero wait is {@link #tryAcquire()}, but
     * interruptible. The call may overrun as {@link DistributedLock#tryAcquire(Duration)} does.
     *
     * @param wait zero or more; more than 36 years means without limit
     * @return empty if another holder had one of the locks at the end of the wait. Nothing is held then
     * @throws InterruptedException if interrupted, before or during the wait
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     * @throws BackendException if the backend refuses, or did not answer the last attempt
     * @throws LeaseLostException if a lease ended again after the wait, before the last lock was acquired: it is too short
     * @throws ClientClosedException if the client is closed, before or during the wait
     */
    @CheckReturnValue
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        return acquirer.await(Nanos.of(Durations.wait(wait)), true);
    }

    /**
     * Acquires all locks like {@link #acquire}, without blocking the caller. Prefer {@link #callAsync}, which releases the lease in every
     * case.
     *
     * @return completes with a new lease on a thread of the engine, or fails with the exceptions of {@code acquire}. Cancelling the future,
     *     or one derived from it, withdraws the acquisition as with {@link DistributedLock#acquireAsync}
     */
    @CheckReturnValue
    public CompletableFuture<MultiLease> acquireAsync() {
        return acquirer.async(Nanos.FOREVER, Optional::orElseThrow);
    }

    /**
     * Tries to acquire all locks like {@link #tryAcquire(Duration)}, without blocking the caller.
     *
     * @param wait zero or more
     * @return completes on a thread of the engine, or fails with the exceptions of {@code tryAcquire}. Cancelling the future, or one
     *     derived from it, withdraws the acquisition as with {@link DistributedLock#acquireAsync}
     * @throws InvalidArgumentException if the wait is negative or null; nothing was sent
     */
    @CheckReturnValue
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait) {
        return acquirer.async(Nanos.of(Durations.wait(wait)), lease -> lease);
    }

    /**
     * Runs work under all locks: {@link #acquire}, run, release.
     *
     * @param work the work; {@link #run} takes work without a result
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work
     * @throws X the exception of the work, after the locks are released. A loss is suppressed in it; if the work was
     *     {@linkplain OnLoss#INTERRUPT interrupted}, the loss is thrown and this exception is suppressed
     * @throws InterruptedException as in {@link #acquire}; the work has not begun
     * @throws LeaseLostException if a lock was lost, or given back by the end of its client, before the work ended, or if a release found
     *     that: the work may have overlapped that of another holder. Its result is dropped
     * @throws InvalidArgumentException if the work is null; nothing was sent
     * @throws BackendException as in {@link #acquire}; the work has not begun
     * @throws ClientClosedException as in {@link #acquire}; the work has not begun
     */
    public <T, X extends Exception> T call(Work<T, X> work) throws X, InterruptedException {
        requireWork(work);
        return finish(acquire(), work);
    }

    /**
     * Runs work without a result under all locks: {@link #acquire}, run, release.
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
    public <X extends Exception> void run(Action<X> work) throws X, InterruptedException {
        requireWork(work);
        finish(acquire(), MultiLock.<X>withoutResult(work));
    }

    /**
     * Runs work under all locks if they are acquired in time: {@link #tryAcquire(Duration)}, run, release.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work; {@link #tryRun} takes work without a result
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work, or {@link TryResult.Busy} if another holder had one of the locks: the work did not run
     * @throws X as in {@link #call}
     * @throws InterruptedException as in {@link #tryAcquire(Duration)}; the work has not begun
     * @throws LeaseLostException as in {@link #call} and {@link #tryAcquire(Duration)}
     * @throws InvalidArgumentException if the work is null, or the wait is negative or null; nothing was sent
     * @throws BackendException as in {@link #tryAcquire(Duration)}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire(Duration)}; the work has not begun
     */
    public <T, X extends Exception> TryResult<T> tryCall(Duration wait, Work<T, X> work)
            throws X, InterruptedException {
        requireWork(work);
        return called(tryAcquire(wait), work);
    }

    /**
     * Runs work under all locks if they are free: {@link #tryAcquire()}, run, release.
     *
     * @param work the work; {@link #tryRun(Action)} takes work without a result
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work, or {@link TryResult.Busy} if another holder had one of the locks: the work did not run
     * @throws X as in {@link #call}
     * @throws LeaseLostException as in {@link #call} and {@link #tryAcquire()}
     * @throws InvalidArgumentException as in {@link #call}
     * @throws BackendException as in {@link #tryAcquire()}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire()}; the work has not begun
     */
    public <T, X extends Exception> TryResult<T> tryCall(Work<T, X> work) throws X {
        requireWork(work);
        return called(tryAcquire(), work);
    }

    /**
     * Runs work without a result under all locks if they are free: {@link #tryAcquire()}, run, release.
     *
     * @param work the work
     * @param <X> the type of its exceptions
     * @return true if the work ran; false if another holder had one of the locks
     * @throws X as in {@link #call}
     * @throws LeaseLostException as in {@link #tryCall(Work)}
     * @throws InvalidArgumentException as in {@link #call}
     * @throws BackendException as in {@link #tryAcquire()}; the work has not begun
     * @throws ClientClosedException as in {@link #tryAcquire()}; the work has not begun
     */
    public <X extends Exception> boolean tryRun(Action<X> work) throws X {
        requireWork(work);
        return called(tryAcquire(), MultiLock.<X>withoutResult(work)).ran();
    }

    /**
     * Runs work without a result under all locks if they are acquired in time: {@link #tryAcquire(Duration)}, run, release.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work
     * @param <X> the type of its exceptions
     * @return true if the work ran; false if another holder had one of the locks
     * @throws X as in {@link #call}
     * @throws InterruptedException as in {@link #tryCall(Duration, Work)}
     * @throws LeaseLostException as in {@link #tryCall(Duration, Work)}
     * @throws InvalidArgumentException as in {@link #tryCall(Duration, Work)}
     * @throws BackendException as in {@link #tryCall(Duration, Work)}
     * @throws ClientClosedException as in {@link #tryCall(Duration, Work)}
     */
    public <X extends Exception> boolean tryRun(Duration wait, Action<X> work) throws X, InterruptedException {
        requireWork(work);
        return called(tryAcquire(wait), MultiLock.<X>withoutResult(work)).ran();
    }

    /**
     * Runs asynchronous work under all locks, without blocking the caller: {@link #acquireAsync}, run, release when the future of the work
     * completes. The work itself is called on a thread of the engine and must not block.
     *
     * @param work the work: returns a future at once
     * @param <T> the type of its result
     * @return as {@link DistributedLock#callAsync}
     * @throws InvalidArgumentException if the work is null; nothing was sent
     */
    @CheckReturnValue
    public <T> CompletableFuture<T> callAsync(Work<? extends CompletionStage<T>, ? extends Exception> work) {
        requireWork(work);
        return new AsyncWork<MultiLease, T, T>(work::apply, value -> value)
                .under(
                        acquirer.async(Nanos.FOREVER, lease -> lease),
                        MultiLease::workHold,
                        null,
                        client.engine.threads().callbacks);
    }

    /**
     * Runs asynchronous work like {@link #callAsync}, if all locks are acquired in time.
     *
     * @param wait zero or more; zero fails fast
     * @param work the work: returns a future at once
     * @param <T> the type of its result
     * @return as {@link #callAsync}, or completes with {@link TryResult.Busy} if another holder had one of the locks: the work did not run
     * @throws InvalidArgumentException if the work is null, or the wait is negative or null; nothing was sent
     */
    @CheckReturnValue
    public <T> CompletableFuture<TryResult<T>> tryCallAsync(
            Duration wait, Work<? extends CompletionStage<T>, ? extends Exception> work) {
        requireWork(work);
        return new AsyncWork<MultiLease, T, TryResult<T>>(work::apply, TryResult.Returned::new)
                .under(
                        tryAcquireAsync(wait),
                        MultiLease::workHold,
                        TryResult.busy(),
                        client.engine.threads().callbacks);
    }

    private static void requireWork(Object work) {
        InvalidArgumentException.required("the work", work);
    }

    private static <T, X extends Exception> TryResult<T> called(Optional<MultiLease> lease, Work<T, X> work) throws X {
        return lease.isPresent() ? new TryResult.Returned<>(finish(lease.get(), work)) : TryResult.busy();
    }

    static <X extends Exception> Work<Boolean, X> withoutResult(Action<X> work) {
        return lease -> {
            work.run(lease);
            return true;
        };
    }

    /** Checks for a loss after the release as well: the release may be the first to find it. */
    private static <T, X extends Exception> T finish(MultiLease held, Work<T, X> work) throws X {
        T value;
        try (Whole end = new Whole(held)) {
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

    /** Releases all locks at the end of work, without a report of a loss. */
    private record Whole(MultiLease lease) implements AutoCloseable {
        @Override
        public void close() {
            lease.giveBackWhole();
        }
    }

    /** Names the locks, for logs. */
    @Override
    public String toString() {
        return "MultiLock" + names();
    }
}
