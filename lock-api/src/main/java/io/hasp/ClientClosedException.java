package io.hasp;

/** The {@link LockClient} was closed, before the call or while it waited. The caller holds nothing. */
public final class ClientClosedException extends LockException {
    private static final long serialVersionUID = 1L;

    ClientClosedException(String message) {
        super(message, null);
    }
}
