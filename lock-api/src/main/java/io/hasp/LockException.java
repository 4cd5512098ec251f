package io.hasp;

import org.jspecify.annotations.Nullable;

/** Everything that Hasp throws of its own; each permitted class is one thing that a caller may want to react to. */
public abstract sealed class LockException extends RuntimeException
        permits BackendException,
                ClientClosedException,
                InvalidArgumentException,
                KindMismatchException,
                LeaseLostException,
                UnsupportedCapabilityException {
    private static final long serialVersionUID = 1L;

    LockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** For a caller that does not wait: the stack of the engine's thread that made the exception tells it nothing. */
    static Throwable withoutTrace(Throwable thrown) {
        if (thrown instanceof LockException) {
            thrown.setStackTrace(new StackTraceElement[0]);
        }
        return thrown;
    }
}
