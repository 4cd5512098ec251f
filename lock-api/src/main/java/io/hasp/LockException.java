package io.hasp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A failure of a lock at run time. Each permitted class is one kind that a caller may want to handle on its own. */
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

    /** For a caller that does not wait: the stack of the engine's thread that made the exception does not help it. */
    static Throwable withoutTrace(Throwable thrown) {
        if (thrown instanceof LockFailure) {
            thrown.setStackTrace(new StackTraceElement[0]);
        }
        return thrown;
    }
}
