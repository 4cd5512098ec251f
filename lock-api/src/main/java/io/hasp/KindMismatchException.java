package io.hasp;

import io.hasp.spi.BackendFailure;

/**
 * The name is in use as a lock of another kind: exclusive, read-write, or a semaphore of another number of permits. The server
 * said so in the same atomic step in which it would have granted the lock; the caller holds nothing, and nothing is left.
 *
 * <p>What counts is who holds or waits at that moment: a name that nobody uses has no kind. Clients that name different numbers
 * of permits therefore find out as soon as they meet; a program that changes the number uses another name.
 */
public final class KindMismatchException extends LockException {
    private static final long serialVersionUID = 1L;

    KindMismatchException(String message, BackendFailure failure) {
        super(message, failure.getCause());
    }
}
