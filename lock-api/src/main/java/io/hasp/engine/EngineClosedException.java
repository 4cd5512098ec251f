package io.hasp.engine;

/** The client was closed before a call was answered. */
public final class EngineClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EngineClosedException() {
        super("the lock client was closed before it was answered");
    }
}
