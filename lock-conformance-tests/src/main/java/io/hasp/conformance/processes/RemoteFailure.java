package io.hasp.conformance.processes;

/** A call failed in a client process, or the process ended before it answered. */
public final class RemoteFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String type;

    RemoteFailure(String type, String message) {
        super(type.isEmpty() ? message : type + ": " + message);
        this.type = type;
    }

    /**
     * What was thrown there.
     *
     * @return the name of the exception's class; empty if the process ended
     */
    public String type() {
        return type;
    }
}
