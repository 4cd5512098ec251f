package io.hasp;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Limits the concurrent holders of a name by a number of permits that all clients share. Holds nothing itself. Thread-safe. Cheap to
 * create, without a request, by {@link LockClient#semaphore}.
 *
 * <p>A {@link Lease} holds permits. The permits of a client that dies come back at the end of its lease or session; those of a live client
 * are renewed. A client can give back only permits that it holds. There are never more permits than the total, and never fewer once all
 * holders have left.
 *
 * <p>Requests are served first come, first served; {@link LockClient#capabilities} describes the order between clients. Small requests do
 * not overtake a large one that waits, so it does not starve. A zero wait is refused while a request waits, even if a permit is free. A
 * client may hand permits off between its own waiters for a bounded time before other clients have their turn
 * ({@link ClientOptions#handOff}).
 *
 * <p>All clients of a name give the same total. A client with another total gets a {@link BackendException} of kind
 * {@link BackendException.Kind#OTHER_KIND OTHER_KIND} while a client holds or waits.
 *
 * <p>Methods without a description of their exceptions throw those of the {@link DistributedLock} method that they name. After Dijkstra,
 * <em>Cooperating Sequential Processes</em> (EWD 123, 1965).
 */
public final class DistributedSemaphore {
    private final ClientContext client;
    private final LockName name;
    private final LockOptions options;
    private final int total;

    DistributedSemaphore(ClientContext client, LockName name, LockOptions options, int total) {
        if (total < 1 || total > Share.MOST_PERMITS) {
            throw InvalidArgumentException.ofLock(
                    name.value(),
                    "semaphore '" + name + "' has " + total + " permits: it must have from 1 to " + Share.MOST_PERMITS);
        }
        this.client = client;
        this.name = name;
        this.options = options;
        this.total = total;
    }

    /**
     * Returns the name of the semaphore.
     *
     * @return the semaphore's name
     */
    public String name() {
        return name.value();
    }

    /**
     * Returns the total of permits.
     *
     * @return as given to {@link LockClient#semaphore}
     */
    public int total() {
        return total;
    }

    /**
     * Returns a number of permits as a lock with all methods of an exclusive one: they are acquired and released together.
     *
     * @param count 1 to {@link #total}
     * @return the lock; nothing is sent
     * @throws InvalidArgumentException if out of that range
     */
    public DistributedLock permits(int count) {
        if (count < 1 || count > total) {
            throw InvalidArgumentException.ofLock(
                    name(), count + " permits of semaphore '" + name + "': it must be from 1 to its total of " + total);
        }
        return DistributedLock.sharing(client, name, options, new Share(count, total));
    }

    /**
     * Acquires one permit, as {@link DistributedLock#acquire} does.
     *
     * @return a new lease
     * @throws InterruptedException if interrupted, before or during the wait
     */
    @CheckReturnValue
    public Lease acquire() throws InterruptedException {
        return permits(1).acquire();
    }

    /**
     * Acquires permits, as {@link DistributedLock#acquire} does.
     *
     * @param count 1 to {@link #total}
     * @return a new lease of all these permits
     * @throws InterruptedException if interrupted, before or during the wait
     * @throws InvalidArgumentException if out of that range
     */
    @CheckReturnValue
    public Lease acquire(int count) throws InterruptedException {
        return permits(count).acquire();
    }

    /**
     * Acquires one permit without blocking the caller, as {@link DistributedLock#acquireAsync} does.
     *
     * @return completes with a new lease
     */
    @CheckReturnValue
    public CompletableFuture<Lease> acquireAsync() {
        return permits(1).acquireAsync();
    }

    /**
     * Acquires permits without blocking the caller, as {@link DistributedLock#acquireAsync} does.
     *
     * @param count 1 to {@link #total}
     * @return completes with a new lease of all these permits
     * @throws InvalidArgumentException if out of that range
     */
    @CheckReturnValue
    public CompletableFuture<Lease> acquireAsync(int count) {
        return permits(count).acquireAsync();
    }

    /**
     * Tries to acquire one permit, as {@link DistributedLock#tryAcquire()} does.
     *
     * @return empty if no permit was free, or another request waited
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire() {
        return permits(1).tryAcquire();
    }

    /**
     * Tries to acquire one permit within a time, as {@link DistributedLock#tryAcquire(Duration)} does.
     *
     * @param wait zero or more
     * @return empty if no permit was free for the whole wait, or other requests waited before this one
     * @throws InterruptedException if interrupted, before or during the wait
     * @throws InvalidArgumentException if the wait is negative or null
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return permits(1).tryAcquire(wait);
    }

    /**
     * Tries to acquire permits, as {@link DistributedLock#tryAcquire()} does.
     *
     * @param count 1 to {@link #total}
     * @return a lease of all these permits; empty if fewer were free, or another request waited
     * @throws InvalidArgumentException if out of that range
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(int count) {
        return permits(count).tryAcquire();
    }

    /**
     * Tries to acquire permits within a time, as {@link DistributedLock#tryAcquire(Duration)} does.
     *
     * @param count 1 to {@link #total}
     * @param wait zero or more
     * @return a lease of all these permits; empty if fewer were free for the whole wait, or other requests waited before this one
     * @throws InterruptedException if interrupted, before or during the wait
     * @throws InvalidArgumentException if the count is out of range, or the wait is negative or null
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(int count, Duration wait) throws InterruptedException {
        return permits(count).tryAcquire(wait);
    }

    /**
     * Tries to acquire permits without blocking the caller, as {@link DistributedLock#tryAcquireAsync} does.
     *
     * @param count 1 to {@link #total}
     * @param wait zero or more
     * @return completes with a lease of all these permits, or empty as {@link #tryAcquire(int, Duration)}
     * @throws InvalidArgumentException if the count is out of range, or the wait is negative or null
     */
    @CheckReturnValue
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(int count, Duration wait) {
        return permits(count).tryAcquireAsync(wait);
    }

    /**
     * Gives back some permits of a lease. The old lease is over when this method returns. The new lease has the rest of its permits, its
     * deadline and its token. Other holders get the permits as soon as the request reaches the server; this method does not wait for the
     * answer.
     *
     * @param lease a lease of this semaphore
     * @param count at least 1, and fewer than the lease has: {@link Lease#release} gives back all
     * @return the lease of the rest, to be released in place of the other lease
     * @throws InvalidArgumentException if the lease is null or of another lock or client, or the number is out of range
     * @throws LeaseLostException if the lease was lost before, or given back by {@link LockClient#closeNow}
     * @throws LeaseReleasedException if the lease was released before
     * @throws ClientClosedException if the client ends during the call
     */
    @CheckReturnValue
    public Lease giveBack(Lease lease, int count) {
        InvalidArgumentException.required("the lease", lease);
        if (!lease.isOf(client, name, total)) {
            throw InvalidArgumentException.ofLock(
                    name(), lease + " is not a lease of semaphore '" + name + "' of " + total);
        }
        if (count < 1 || count >= lease.permits()) {
            throw InvalidArgumentException.ofLock(
                    name(),
                    "can't give back " + count + " permits of " + lease + ", which has " + lease.permits()
                            + ": it must be at least one and leave one; release() gives back all");
        }
        return lease.lowered(new Share(lease.permits() - count, total));
    }

    /** Names the semaphore and its total, for logs. */
    @Override
    public String toString() {
        return "DistributedSemaphore[" + name + ", " + total + " permits]";
    }
}
