package io.hasp.conformance.processes;

import io.hasp.conformance.history.History;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.util.concurrent.CompletableFuture;

/** A client, in any process, that runs {@link LockLoop}s and records its history. Thread-safe. */
public sealed interface WorkingClient extends AutoCloseable permits CrashableClient, LocalClient {

    /**
     * Its name.
     *
     * @return the name in the history
     */
    String name();

    /**
     * Begins a loop without waiting for it.
     *
     * @param loop the loop
     * @return the outcome; completed exceptionally if the client ends before
     */
    CompletableFuture<Outcome> looping(LockLoop loop);

    /**
     * Returns the events so far.
     *
     * @return its history; also after {@link #close}
     */
    History history();

    /** Ends the client. Its history stays. Idempotent. */
    @Override
    void close() throws Exception;
}
