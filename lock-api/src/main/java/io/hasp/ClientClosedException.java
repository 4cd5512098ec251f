package io.hasp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports that the {@link LockClient} was closed, before the call or during its wait, or has failed: then the error is the cause. The
 * caller holds nothing.
 */
public final class ClientClosedException extends IllegalStateException implements LockFailure {
    private static final long serialVersionUID = 1L;

    private final @Nullable String lockName;

    ClientClosedException(String message, @Nullable String lockName) {
        this(message, null, lockName);
    }

    ClientClosedException(String message, @Nullable Throwable cause, @Nullable String lockName) {
        super(message, cause);
        this.lockName = lockName;
    }

    @Override
    public Optional<String> lockName() {
        return Optional.ofNullable(lockName);
    }
}
