package io.hasp;

import org.jspecify.annotations.Nullable;

/** A name, duration, URI or option breaks a rule. The message names the value and the rule; nothing was sent. */
public final class InvalidArgumentException extends LockException {
    private static final long serialVersionUID = 1L;

    InvalidArgumentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    InvalidArgumentException(String message) {
        this(message, null);
    }

    /** What a caller without a null checker may have forgotten. */
    static <T> T required(String what, @Nullable T value) {
        if (value == null) {
            throw new InvalidArgumentException(what + " is null");
        }
        return value;
    }
}
