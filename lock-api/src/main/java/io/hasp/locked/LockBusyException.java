package io.hasp.locked;

import java.time.Duration;

/** Another held the lock of a {@link Locked} method for the whole wait. The method did not run. */
public final class LockBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String lockName;

    LockBusyException(String lockName, Duration wait, String method) {
        super("lock '" + lockName + "' was held by another for the whole wait of " + wait + ": " + method
                + " did not run");
        this.lockName = lockName;
    }

    /**
     * Which lock.
     *
     * @return its name, filled in
     */
    public String lockName() {
        return lockName;
    }
}
