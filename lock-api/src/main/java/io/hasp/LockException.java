package io.hasp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reports a failure of a lock at run time. Each permitted class is a kind that a caller may handle separately. */
public abstract sealed class LockException extends RuntimeException implements LockFailure
        permits BackendException, LeaseLostException, LockBusyException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String lockName;

    LockException(String message, @Nullable Throwable cause, @Nullable String lockName) {
        super(message, cause);
        this.lockName = lockName;
    }

    @Override
    public final Optional<String> lockName() {
        return Optional.ofNullable(lockName);
    }

    /** Removes the stack of the engine's thread, which does not help a caller that does not wait. */
    static Throwable withoutTrace(Throwable thrown) {
        if (thrown instanceof LockFailure) {
            thrown.setStackTrace(new StackTraceElement[0]);
        }
        return thrown;
    }
}
