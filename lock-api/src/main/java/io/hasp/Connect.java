package io.hasp;

/** When a client connects to its service. Set by {@link ClientOptions#connect}. */
public enum Connect {
    /** As the client is made, which fails if the service can't be reached or refuses. The default. */
    EAGER,

    /**
     * When a call needs it, so that a program starts before its service. The configuration is checked as the client is made; what only
     * the server can tell is checked at the first connection. Until then calls fail with {@link BackendException}, those that
     * wait go on for {@link ClientOptions#unavailableAfter}, and each call tries to connect if no other one does. What the server
     * refuses, each call fails with, and later calls try again.
     */
    LAZY
}
