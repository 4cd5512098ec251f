package io.hasp.conformance.faults;

/** The way in which a connection ends. */
public enum ConnectionEnd {
    /** In the orderly way: both ends read the end of the stream. */
    FIN,
    /** By a reset: both ends get an error. */
    RST,
    /** For the server only, by a reset: the client's end stays open and silent, as if the server's machine were gone. */
    HALF_OPEN
}
