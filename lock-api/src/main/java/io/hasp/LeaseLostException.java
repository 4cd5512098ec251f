package io.hasp;

import java.util.OptionalLong;

/** Reports that a lease was lost before its holder released it: another client may hold the lock, or may have held it. */
public final class LeaseLostException extends LockException {
    private static final long serialVersionUID = 1L;

    private final long fencingToken;

    /**
     * Creates the report of a store that has compared tokens.
     *
     * @param message the lock, the token and the reason, in words for the user
     * @param lockName the name of the lock
     * @param fencingToken the token of the lost lease
     */
    public LeaseLostException(String message, String lockName, long fencingToken) {
        super(message, null, lockName);
        this.fencingToken = fencingToken;
    }

    /** {@inheritDoc} Always present: the token of the lost lease. */
    @Override
    public OptionalLong fencingToken() {
        return OptionalLong.of(fencingToken);
    }
}
