package io.hasp;

/** The backend does not declare what was asked of it. Nothing was sent. */
public final class UnsupportedCapabilityException extends LockException {
    private static final long serialVersionUID = 1L;

    UnsupportedCapabilityException(String message) {
        super(message, null);
    }
}
