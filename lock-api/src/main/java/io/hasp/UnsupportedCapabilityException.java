package io.hasp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The backend does not declare a capability that the call or the options need. Nothing was sent. */
public final class UnsupportedCapabilityException extends UnsupportedOperationException implements LockFailure {
    private static final long serialVersionUID = 1L;

    private final @Nullable String lockName;

    UnsupportedCapabilityException(String message, @Nullable String lockName) {
        super(message);
        this.lockName = lockName;
    }

    @Override
    public Optional<String> lockName() {
        return Optional.ofNullable(lockName);
    }
}
