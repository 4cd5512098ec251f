package io.hasp;

/** Sets the moment at which a client connects to its service. Set by {@link ClientOptions#connect}. */
public enum Connect {
    /** At the creation of the client, which fails if the service can't be reached or refuses. The default. */
    EAGER,

    /**
     * At the first call that needs it, so that a program may start before its service. The configuration is checked when the client is
     * created; checks that need the server follow at the first connection. Until then calls fail with {@link BackendException}, waiting
     * calls go on for {@link ClientOptions#unavailableAfter}, and each call tries to connect unless another one does. If the server
     * refuses, each call fails with its reason, and later calls try again.
     */
    LAZY
}
