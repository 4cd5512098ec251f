package io.hasp;

import java.time.Duration;
import java.util.List;

/**
 * Reports that a {@link io.hasp.locked.Locked @Locked} method did not run, because another holder had the lock for the whole wait. The
 * methods of {@link DistributedLock} do not throw it: they return an empty result.
 */
public final class LockBusyException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception, for containers that run {@link io.hasp.locked.Locked @Locked} methods.
     *
     * @param lockName the lock's name, filled in
     * @param wait the time that the call has waited
     * @param method the method that did not run, for the message
     */
    public LockBusyException(String lockName, Duration wait, String method) {
        super(
                "lock '" + lockName + "' was held by another for the whole wait of " + wait + ": " + method
                        + " did not run",
                null,
                lockName);
    }

    /**
     * Creates the exception of a method with several locks, for containers that run {@link io.hasp.locked.Locked @Locked} methods. It has no
     * {@link #lockName}.
     *
     * @param lockNames the names of the locks, filled in
     * @param wait the time that the call has waited
     * @param method the method that did not run, for the message
     */
    public LockBusyException(List<String> lockNames, Duration wait, String method) {
        super(
                "one of the locks " + lockNames + " was held by another at the end of the wait of " + wait + ": "
                        + method + " did not run",
                null,
                null);
    }
}
