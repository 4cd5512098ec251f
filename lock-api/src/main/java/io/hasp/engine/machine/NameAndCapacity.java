package io.hasp.engine.machine;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;

/**
 * The subject of a {@link LockMachine}: a name, and the kind of lock that this client uses it as. Two kinds on one name meet on the server,
 * which refuses one of them.
 *
 * @param name the name of the lock
 * @param capacity of the lock, as in {@link Share}
 */
public record NameAndCapacity(LockName name, int capacity) {
    public static NameAndCapacity exclusive(LockName name) {
        return new NameAndCapacity(name, Share.EXCLUSIVE.capacity());
    }

    boolean semaphore() {
        return shared() && capacity != Share.READ_WRITE;
    }

    /** True if several clients may hold the lock at a time. */
    boolean shared() {
        return capacity > 1;
    }
}
