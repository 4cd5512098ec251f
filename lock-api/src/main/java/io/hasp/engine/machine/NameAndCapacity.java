package io.hasp.engine.machine;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;

/**
 * What a {@link LockMachine} is about: a name, and the kind of lock that this client takes it for. Two kinds on one name meet on
 * the server, which refuses one of them.
 *
 * @param name what is locked
 * @param capacity of the lock, as in {@link Share}
 */
public record NameAndCapacity(LockName name, int capacity) {
    public static NameAndCapacity exclusive(LockName name) {
        return new NameAndCapacity(name, Share.EXCLUSIVE.capacity());
    }

    /** Whether it has permits. */
    boolean semaphore() {
        return shared() && capacity != Share.READ_WRITE;
    }

    /** Whether several may hold the lock at a time. */
    boolean shared() {
        return capacity > 1;
    }
}
