package io.hasp.conformance.faults;

/** The way in which a connection ends. */
public enum ConnectionEnd {
    /** An orderly end: both ends read the end of the stream. */
    FIN,
    /** A reset: both ends get an error. */
    RST,
    /**
     * A reset towards the server only: the client's end stays open and silent, as if the server's machine had
     * disappeared.
     */
    HALF_OPEN
}
