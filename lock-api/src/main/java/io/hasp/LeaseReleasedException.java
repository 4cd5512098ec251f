package io.hasp;

import java.util.Optional;
import java.util.OptionalLong;

/** Reports that a call needs a lease which its holder has released before. Nothing was lost, and nothing was sent. */
public final class LeaseReleasedException extends IllegalStateException implements LockFailure {
    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final long fencingToken;

    LeaseReleasedException(String message, String lockName, long fencingToken) {
        super(message);
        this.lockName = lockName;
        this.fencingToken = fencingToken;
    }

    @Override
    public Optional<String> lockName() {
        return Optional.of(lockName);
    }

    /** {@inheritDoc} Always present: the token of the released lease. */
    @Override
    public OptionalLong fencingToken() {
        return OptionalLong.of(fencingToken);
    }
}
