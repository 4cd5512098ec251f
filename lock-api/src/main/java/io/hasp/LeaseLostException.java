package io.hasp;

/** The lease was lost before its holder released it: another may hold the lock, or may have held it. */
public final class LeaseLostException extends LockException {
    private static final long serialVersionUID = 1L;

    LeaseLostException(String message) {
        super(message, null);
    }
}
