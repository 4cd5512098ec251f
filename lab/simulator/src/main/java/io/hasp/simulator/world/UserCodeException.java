package io.hasp.simulator.world;

/** An exception of the user's code: a listener, an observer, an executor or a continuation throws it. The engine survives it. */
public final class UserCodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UserCodeException() {
        super("thrown by the user's code", null, false, false);
    }
}
