package io.hasp.conformance.faults;

/** The direction of traffic. */
public enum Direction {
    /** From the client to the server. */
    REQUESTS,
    /** From the server to the client. */
    REPLIES
}
