package io.hasp.conformance.processes;

import io.hasp.conformance.LockUser;

/**
 * A client that can die, and stand still, as a user's process can. Best a process of its own, {@link ClientJvm}; for a lock that
 * does not reach beyond this JVM, a {@link SilencedClient}. Thread-safe.
 */
public sealed interface CrashableClient extends LockUser, WorkingClient permits ClientJvm, SilencedClient {

    /** From now on it does nothing, until {@link #resume}. */
    void pause();

    /** Lets it run again. */
    void resume();

    /** Ends it without warning, and writes its death down. Idempotent. */
    void kill();
}
