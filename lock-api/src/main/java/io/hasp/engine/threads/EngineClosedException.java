package io.hasp.engine.threads;

import org.jspecify.annotations.Nullable;

/** The client was closed before a call was answered, or has failed: then the cause says why. */
public final class EngineClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EngineClosedException(@Nullable Throwable cause) {
        super("the lock client was closed before it was answered", cause);
    }
}
