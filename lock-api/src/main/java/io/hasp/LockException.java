package io.hasp;

import org.jspecify.annotations.Nullable;

/** Everything that Hasp throws of its own; each permitted class is one thing that a caller may want to react to. */
public abstract sealed class LockException extends RuntimeException
        permits BackendUnavailableException,
                ClientClosedException,
                InvalidArgumentException,
                LeaseLostException,
                UnsupportedCapabilityException {
    private static final long serialVersionUID = 1L;

    LockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
