package io.hasp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reports that a name, duration, URI or option breaks a rule. The message has the value and the rule; nothing was sent. */
public final class InvalidArgumentException extends IllegalArgumentException implements LockFailure {
    private static final long serialVersionUID = 1L;

    private final @Nullable String lockName;

    private InvalidArgumentException(String message, @Nullable Throwable cause, @Nullable String lockName) {
        super(message, cause);
        this.lockName = lockName;
    }

    InvalidArgumentException(String message, @Nullable Throwable cause) {
        this(message, cause, null);
    }

    InvalidArgumentException(String message) {
        this(message, null, null);
    }

    static InvalidArgumentException ofLock(String lockName, String message) {
        return new InvalidArgumentException(message, null, lockName);
    }

    /** Checks an argument of a caller without a null checker. */
    static <T> T required(String what, @Nullable T value) {
        if (value == null) {
            throw new InvalidArgumentException(what + " is null");
        }
        return value;
    }

    @Override
    public Optional<String> lockName() {
        return Optional.ofNullable(lockName);
    }
}
