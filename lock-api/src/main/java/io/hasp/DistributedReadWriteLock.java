package io.hasp;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;

/**
 * Locks a name for many readers or for one writer at a time. Holds nothing itself. Thread-safe. Cheap to create, without a request, by
 * {@link LockClient#readWriteLock}.
 *
 * <p>Requests are served first come, first served; {@link LockClient#capabilities} describes the order between clients. A waiting writer
 * stops later readers, and readers that wait next to each other enter together. So neither a writer nor a reader starves.
 *
 * <p>A reader that dies delays writers by its lease or session, as any holder does. The protected store distinguishes reads from writes by
 * the tokens, as {@link Lease#fencingToken} describes.
 *
 * <p>After Courtois, Heymans and Parnas, <em>Concurrent Control with "Readers" and "Writers"</em> (CACM 1971), with one queue for both.
 */
public final class DistributedReadWriteLock {
    private final ClientContext client;
    private final LockName name;
    private final LockOptions options;
    private final DistributedLock read;
    private final DistributedLock write;

    DistributedReadWriteLock(ClientContext client, LockName name, LockOptions options) {
        this.client = client;
        this.name = name;
        this.options = options;
        this.read = DistributedLock.sharing(client, name, options, Share.READ);
        this.write = DistributedLock.sharing(client, name, options, Share.WRITE);
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
     * Returns the lock for reading, which excludes writers only.
     *
     * @return a lock with all methods of an exclusive one; nothing is sent
     */
    public DistributedLock read() {
        return read;
    }

    /**
     * Returns the lock for writing, which excludes readers and other writers.
     *
     * @return a lock with all methods of an exclusive one; nothing is sent
     */
    public DistributedLock write() {
        return write;
    }

    /**
     * Turns a write lease into a read lease, without letting a writer in between. The write lease is over when this method returns. The
     * read lease has the deadline of the write lease, and the next token. Waiting readers enter as soon as the request reaches the server;
     * this method does not wait for the answer. There is no upgrade: two readers that both wait to write would block each other without
     * end.
     *
     * <p>Inside of a call under the lock, such as {@code write().call(…)}, the work goes on under the read lease: its loss is a loss to the
     * call, and the call releases it at the end.
     *
     * @param written the lease for writing
     * @return a lease for reading, to be released in place of the other lease
     * @throws InvalidArgumentException if the lease is null, or is no lease of this lock and client for writing
     * @throws LeaseLostException if the lease was lost before, or given back by {@link LockClient#closeNow}
     * @throws LeaseReleasedException if the lease was released before
     * @throws ClientClosedException if the client ends during the call
     */
    @CheckReturnValue
    public Lease downgrade(Lease written) {
        InvalidArgumentException.required("the lease", written);
        if (!written.isOf(client, name, Share.READ_WRITE) || !written.isForWriting()) {
            throw InvalidArgumentException.ofLock(
                    name(), written + " is not a lease for writing of lock '" + name + "'");
        }
        return written.lowered(Share.READ);
    }

    /**
     * Returns this lock as a {@link java.util.concurrent.locks.ReadWriteLock}: owned by threads, reentrant, with the downgrade of
     * {@link java.util.concurrent.locks.ReentrantReadWriteLock}. All views of the same name and client count together.
     *
     * @return a view; nothing is sent
     */
    public ReentrantDistributedReadWriteLock asReadWriteLock() {
        return new ReentrantDistributedReadWriteLock(name, read.asReentrantLock(), write.asReentrantLock());
    }

    /** Names the lock and its options, for logs. */
    @Override
    public String toString() {
        return "DistributedReadWriteLock[" + name + ", " + options + "]";
    }
}
