package io.hasp;

import io.hasp.spi.LockName;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Adapts a {@link DistributedReadWriteLock} to code that uses {@link ReadWriteLock}: each of the two locks is owned by threads and
 * reentrant. Created by {@link DistributedReadWriteLock#asReadWriteLock}. Thread-safe.
 *
 * <p>A thread that has locked for writing may lock for reading, too, without a request to the server. If it unlocks for writing first, it
 * goes on reading with a lease of its own, and no writer gets in between (a downgrade). A thread that has locked only for reading and locks
 * for writing gets {@link UnsupportedCapabilityException}: two such threads would block each other without end.
 */
public final class ReentrantDistributedReadWriteLock implements ReadWriteLock {
    private final LockName name;
    private final ReentrantDistributedLock readLock;
    private final ReentrantDistributedLock writeLock;

    ReentrantDistributedReadWriteLock(
            LockName name, ReentrantDistributedLock readLock, ReentrantDistributedLock writeLock) {
        this.name = name;
        this.readLock = readLock;
        this.writeLock = writeLock;
    }

    /**
     * Returns the lock for reading.
     *
     * @return the same for the life of this view
     */
    @Override
    public ReentrantDistributedLock readLock() {
        return readLock;
    }

    /**
     * Returns the lock for writing.
     *
     * @return the same for the life of this view
     */
    @Override
    public ReentrantDistributedLock writeLock() {
        return writeLock;
    }

    /** Names the lock, for logs. */
    @Override
    public String toString() {
        return "ReentrantDistributedReadWriteLock[" + name + "]";
    }
}
