package io.hasp;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;

/**
 * A lock that several may hold for reading at a time, and one for writing. Holds nothing itself; thread-safe, and cheap enough to
 * make for every use. Made by {@link LockClient#readWriteLock}.
 *
 * <p>Who comes first is served first, by clients as {@link LockClient#capabilities} tell: a writer that waits stops the readers that
 * come after it, and readers that wait next to each other enter together. So no writer starves, and no reader does.
 *
 * <p>A reader that dies delays writers by its lease or session, as any holder does. A store that is protected by the lock tells
 * reads from writes by the tokens, as {@link Lease#fencingToken} describes.
 *
 * <p>After Courtois, Heymans and Parnas, <em>Concurrent Control with "Readers" and "Writers"</em> (CACM 1971), with one queue for
 * both.
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
     * What is locked.
     *
     * @return the lock's name
     */
    public String name() {
        return name.value();
    }

    /**
     * The lock for reading: it excludes writers only.
     *
     * @return with all that an exclusive lock can; nothing is sent
     */
    public DistributedLock read() {
        return read;
    }

    /**
     * The lock for writing: it excludes readers and other writers.
     *
     * @return with all that an exclusive lock can; nothing is sent
     */
    public DistributedLock write() {
        return write;
    }

    /**
     * Goes on reading after writing, without letting a writer in between. The write lease is over when this returns; the read
     * lease has its deadline, and the next token. Readers that wait enter as soon as the server knows, which this does not wait
     * for. There is no way back: two readers that both wait to write would wait for ever.
     *
     * <p>Inside of a call under the lock, such as {@code write().call(…)}, the work goes on under the read lease: its loss is a loss to the
     * call, and the call gives it back at the end.
     *
     * @param written the lease for writing
     * @return a lease for reading; it is to be released instead of the other one
     * @throws InvalidArgumentException if it is null, or is no lease of this lock and client for writing
     * @throws LeaseLostException if it was lost before, or given back by {@link LockClient#closeNow}
     * @throws LeaseReleasedException if it was released before
     * @throws ClientClosedException if the client ends meanwhile
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
     * This lock as a {@link java.util.concurrent.locks.ReadWriteLock}: owned by threads, reentrant, with the downgrade of
     * {@link java.util.concurrent.locks.ReentrantReadWriteLock}. All views of the same name and client count together.
     *
     * @return a view; nothing is sent
     */
    public ReentrantDistributedReadWriteLock asReadWriteLock() {
        return new ReentrantDistributedReadWriteLock(name, read.asReentrantLock(), write.asReentrantLock());
    }

    /** Names the lock and says how it is held, for logs. */
    @Override
    public String toString() {
        return "DistributedReadWriteLock[" + name + ", " + options + "]";
    }
}
