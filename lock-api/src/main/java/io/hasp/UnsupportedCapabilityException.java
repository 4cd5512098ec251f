package io.hasp;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reports that the backend does not declare a capability that the call or the options need. Nothing was sent. */
public final class UnsupportedCapabilityException extends UnsupportedOperationException implements LockFailure {
    private static final long serialVersionUID = 1L;

    private final @Nullable String lockName;

    UnsupportedCapabilityException(String message, @Nullable String lockName) {
        super(message);
        this.lockName = lockName;
    }

    /**
     * Creates the exception of a thread that holds a read-write lock for reading and requests it for writing.
     *
     * @param lockName the lock's name
     * @return the exception, to be thrown
     */
    public static UnsupportedCapabilityException upgrade(String lockName) {
        return new UnsupportedCapabilityException(
                "lock '" + lockName + "' is held by this thread for reading: it can't be"
                        + " upgraded to writing, since two readers that both wait to write would wait for ever."
                        + " Unlock it for reading first",
                lockName);
    }

    /**
     * Creates the exception of a thread that holds some of the locks which it requests together.
     *
     * @param lockName the name of a lock that it holds
     * @param requested the names of the locks that it requests
     * @return the exception, to be thrown
     */
    public static UnsupportedCapabilityException partlyHeld(String lockName, List<String> requested) {
        return new UnsupportedCapabilityException(
                "lock '" + lockName + "' is held by this thread already, and the locks " + requested
                        + " are requested together: two threads that hold one of them and request the others would wait"
                        + " for ever. Acquire all of them in the outer call",
                lockName);
    }

    @Override
    public Optional<String> lockName() {
        return Optional.ofNullable(lockName);
    }
}
