package io.hasp.conformance.servers;

import java.util.List;

/**
 * A server that a test can break and mend. Every method returns when its effect has happened. Not thread-safe.
 *
 * <p>This is also where servers in containers will plug in.
 */
public interface Server extends AutoCloseable {

    /** Stops all its threads at once, connections stay open (SIGSTOP). */
    void pause();

    /** Lets it run again after {@link #pause} (SIGCONT); without effect on a running server. */
    void resume();

    /** Ends it without warning (SIGKILL); without effect if it does not run. Its data folder stays. */
    void kill();

    /** Ends it in an orderly way (SIGTERM); without effect if it does not run. Its data folder stays. */
    void stop();

    /** Starts it again on the same port with what its data folder keeps; a running server is stopped first. */
    void restart();

    /** Starts it again on the same port with an empty data folder; a running server is killed first. */
    void restartWithoutData();

    /**
     * Returns true while the server's process exists, paused or not.
     *
     * @return true from a start to the next end
     */
    boolean running();

    /** Ends it and deletes its folder. Idempotent. */
    @Override
    void close();

    /**
     * Combines several independent servers into one: each operation applies to all of them.
     *
     * @param servers the servers
     * @return the same processes
     */
    static Server together(List<? extends Server> servers) {
        return new ServerGroup(List.copyOf(servers), () -> {});
    }
}
