package io.hasp;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A number of permits that all clients share. Holds nothing itself; thread-safe, and cheap enough to make for every use. Made by
 * {@link LockClient#semaphore}.
 *
 * <p>Permits are held by a {@link Lease}: those of a client that dies come back at the end of it, those of one that lives are
 * renewed, and nobody can give back what he does not have. There are never more than the total, and never fewer once all have
 * left.
 *
 * <p>Who comes first is served first, by clients as {@link LockClient#capabilities} tell: small requests do not pass a large one that
 * waits, so it does not starve; a zero wait is refused while one waits, though a permit may be free. A client may pass permits on between
 * its own waiters for a bounded time before other clients have their turn, see {@link ClientOptions#handOff}.
 *
 * <p>All clients of a name give the same total; a client with another total gets a {@link BackendException}
 * of kind {@link BackendException.Kind#OTHER_KIND OTHER_KIND} while a client holds or waits.
 * After Dijkstra, <em>Cooperating Sequential Processes</em> (EWD 123, 1965).
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
     * What the permits are of.
     *
     * @return the semaphore's name
     */
    public String name() {
        return name.value();
    }

    /**
     * How many permits there are.
     *
     * @return as given to {@link LockClient#semaphore}
     */
    public int total() {
        return total;
    }

    /**
     * Some permits as a lock, with all that an exclusive lock can: they are had and given back together.
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
     * Takes one permit, as {@link DistributedLock#acquire} does.
     *
     * @return a new lease
     * @throws InterruptedException as there
     */
    @CheckReturnValue
    public Lease acquire() throws InterruptedException {
        return permits(1).acquire();
    }

    /**
     * Takes permits, as {@link DistributedLock#acquire} does.
     *
     * @param count 1 to {@link #total}
     * @return a new lease of them all
     * @throws InterruptedException as there
     * @throws InvalidArgumentException if out of that range
     */
    @CheckReturnValue
    public Lease acquire(int count) throws InterruptedException {
        return permits(count).acquire();
    }

    /**
     * Takes one permit without blocking the caller, as {@link DistributedLock#acquireAsync} does.
     *
     * @return completes with a new lease
     */
    @CheckReturnValue
    public CompletableFuture<Lease> acquireAsync() {
        return permits(1).acquireAsync();
    }

    /**
     * Takes permits without blocking the caller, as {@link DistributedLock#acquireAsync} does.
     *
     * @param count 1 to {@link #total}
     * @return completes with a new lease of them all
     * @throws InvalidArgumentException if out of that range
     */
    @CheckReturnValue
    public CompletableFuture<Lease> acquireAsync(int count) {
        return permits(count).acquireAsync();
    }

    /**
     * Tries to take one permit, as {@link DistributedLock#tryAcquire()} does.
     *
     * @return empty if there was none, or somebody waited before this caller
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire() {
        return permits(1).tryAcquire();
    }

    /**
     * Tries to take one permit, waiting at most for a time, as {@link DistributedLock#tryAcquire(Duration)} does.
     *
     * @param wait zero or more
     * @return empty if there was none for the whole wait, or others waited before this caller
     * @throws InterruptedException as there
     * @throws InvalidArgumentException if the wait is negative or null
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return permits(1).tryAcquire(wait);
    }

    /**
     * Tries to take permits, as {@link DistributedLock#tryAcquire()} does.
     *
     * @param count 1 to {@link #total}
     * @return a lease of them all; empty if there were not so many, or somebody waited before this caller
     * @throws InvalidArgumentException if out of that range
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(int count) {
        return permits(count).tryAcquire();
    }

    /**
     * Tries to take permits, waiting at most for a time, as {@link DistributedLock#tryAcquire(Duration)} does.
     *
     * @param count 1 to {@link #total}
     * @param wait zero or more
     * @return a lease of them all; empty if there were not so many for the whole wait, or others waited before this caller
     * @throws InterruptedException as there
     * @throws InvalidArgumentException if one of them is out of range
     */
    @CheckReturnValue
    public Optional<Lease> tryAcquire(int count, Duration wait) throws InterruptedException {
        return permits(count).tryAcquire(wait);
    }

    /**
     * Tries to take permits without blocking the caller, as {@link DistributedLock#tryAcquireAsync} does.
     *
     * @param count 1 to {@link #total}
     * @param wait zero or more
     * @return completes with a lease of them all, or empty as {@link #tryAcquire(int, Duration)}
     * @throws InvalidArgumentException if one of them is out of range
     */
    @CheckReturnValue
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(int count, Duration wait) {
        return permits(count).tryAcquireAsync(wait);
    }

    /**
     * Gives some permits of a lease back. That lease is over when this returns; the new one has the rest of its permits, its deadline
     * and its token. Others get the permits as soon as the server knows, which this does not wait for.
     *
     * @param lease of this semaphore
     * @param count at least 1, and fewer than the lease has: all are given back by {@link Lease#release}
     * @return the lease of those that are left; it is to be released instead of the other one
     * @throws InvalidArgumentException if the lease is null or of another lock or client, or the number is out of range
     * @throws LeaseLostException if it was lost before, or given back by {@link LockClient#closeNow}
     * @throws LeaseReleasedException if it was released before
     * @throws ClientClosedException if the client ends meanwhile
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
