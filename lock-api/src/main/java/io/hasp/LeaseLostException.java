package io.hasp;

import java.util.OptionalLong;

/** Reports that a lease was lost before its holder released it: another client may hold the lock, or may have held it. */
public final class LeaseLostException extends LockException {
    private static final long serialVersionUID = 1L;

    private final long fencingToken;

    LeaseLostException(String message, String lockName, long fencingToken) {
        super(message, null, lockName);
        this.fencingToken = fencingToken;
    }

    /** {@inheritDoc} Always present: the token of the lost lease. */
    @Override
    public OptionalLong fencingToken() {
        return OptionalLong.of(fencingToken);
    }
}
