package io.hasp.conformance.servers;

/** One run of a server's program, from its start to its end, wherever it runs. */
interface ServerRun {

    /** The id of the process on this machine. */
    long pid();

    boolean alive();

    /** The exit code of a run that is over. */
    int exitCode();

    /**
     * Sends a signal, if it is still alive.
     *
     * @param name such as {@code STOP}
     */
    void signal(String name);

    /** Waits for the end and leaves nothing of it behind. Not interruptible: who kills a server means to be rid of it. */
    void awaitEnd();
}
