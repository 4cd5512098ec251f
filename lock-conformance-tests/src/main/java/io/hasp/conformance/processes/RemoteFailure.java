package io.hasp.conformance.processes;

/** A call failed in a client process, or the process ended before it answered. */
public final class RemoteFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String type;
    private final String reason;

    RemoteFailure(String type, String reason) {
        super(type.isEmpty() ? reason : type + ": " + reason);
        this.type = type;
        this.reason = reason;
    }

    /**
     * Returns the type of the exception in the process.
     *
     * @return the name of the exception's class; empty if the process ended
     */
    public String type() {
        return type;
    }

    /**
     * Returns the message of the exception in the process.
     *
     * @return the message, without the type
     */
    public String reason() {
        return reason;
    }
}
