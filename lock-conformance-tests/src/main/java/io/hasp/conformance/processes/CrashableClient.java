package io.hasp.conformance.processes;

import io.hasp.conformance.LockUser;

/**
 * A client that can die and stop, like a user's process. Preferably a separate process, {@link ClientJvm}; for a lock
 * within this JVM, a {@link SilencedClient}. Thread-safe.
 */
public sealed interface CrashableClient extends LockUser, WorkingClient permits ClientJvm, SilencedClient {

    /** Stops the client, until {@link #resume}. */
    void pause();

    /** Continues the client. */
    void resume();

    /** Ends the client without warning, and records its death. Idempotent. */
    void kill();
}
