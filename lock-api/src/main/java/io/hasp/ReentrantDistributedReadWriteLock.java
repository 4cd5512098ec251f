package io.hasp;

import io.hasp.spi.LockName;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A {@link DistributedReadWriteLock} for code that knows {@link ReadWriteLock}: each of the two locks is owned by threads and
 * reentrant. Made by {@link DistributedReadWriteLock#asReadWriteLock}. Thread-safe.
 *
 * <p>A thread that has locked for writing may lock for reading, too, without asking the server. If it unlocks for writing
 * first, it goes on reading with a lease of its own and no writer gets in between (a downgrade). A thread that has locked only
 * for reading and locks for writing gets {@link UnsupportedCapabilityException}: two that both did so would wait for ever.
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
     * The lock for reading.
     *
     * @return the same for the life of this view
     */
    @Override
    public ReentrantDistributedLock readLock() {
        return readLock;
    }

    /**
     * The lock for writing.
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
