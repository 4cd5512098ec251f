package io.hasp.conformance.faults;

import io.hasp.conformance.servers.Server;
import java.time.Duration;
import org.opentest4j.TestAbortedException;

/**
 * The faults that a rule can cause around the lock under test. An adopter overrides those it supports. A rule that
 * needs another one is skipped, with that reason.
 */
public interface Faults {

    /**
     * Returns the lock's server, to be paused, killed and restarted. Several servers that act as one count as one.
     *
     * @return the server
     */
    default Server server() {
        throw missing("pause, kill or restart the server");
    }

    /**
     * Deletes a lock's key or node without its holder's knowledge, as an administrator could.
     *
     * @param lock the name that the subject was given
     * @throws Exception if that can't be done
     */
    default void deleteLock(String lock) throws Exception {
        throw missing("delete a lock as administrator");
    }

    /**
     * Ends the connections that carry notifications to waiting clients, so that a notification sent now is lost.
     *
     * @throws Exception if that can't be done
     */
    default void loseNotifications() throws Exception {
        throw missing("lose the notifications of waiters");
    }

    /**
     * Makes the server hold back write requests for a while, and then execute them in their order of arrival. Reads are
     * answered all the time.
     *
     * @param time how long
     * @return a view of the held requests
     * @throws Exception if that can't be done
     */
    default HeldRequests holdWrites(Duration time) throws Exception {
        throw missing("hold writing requests back");
    }

    /**
     * Returns the number of clients at a lock: its holder, and the waiters queued on the server.
     *
     * @param lock the name as the subject received it
     * @return the count
     * @throws Exception if the server can't be reached
     */
    default int present(String lock) throws Exception {
        throw missing("ask the server who is at a lock");
    }

    /**
     * Returns the number of commands or packets that the server has received.
     *
     * @return a count that grows
     * @throws Exception if the server can't be reached
     */
    default long received() throws Exception {
        throw missing("count what the server receives");
    }

    /**
     * Returns the number of keys or nodes on the server, for any purpose.
     *
     * @return the count at this moment
     * @throws Exception if the server can't be reached
     */
    default long kept() throws Exception {
        throw missing("count what the server keeps");
    }

    /**
     * Ends the sessions of all holders and waiters of a lock, on the server.
     *
     * @param lock the name that the subject was given
     * @throws Exception if that can't be done
     */
    default void endSessions(String lock) throws Exception {
        throw missing("end the session of a client");
    }

    /** The requests that the server holds back. */
    @FunctionalInterface
    interface HeldRequests {
        /**
         * Returns the number of clients that wait for an answer that is held back.
         *
         * @return zero or more
         * @throws Exception if the server can't be reached
         */
        int waiting() throws Exception;
    }

    /**
     * Returns an object without faults.
     *
     * @return the same as not overriding any method
     */
    static Faults none() {
        return new Faults() {};
    }

    private static RuntimeException missing(String what) {
        return new TestAbortedException("no means here to " + what);
    }
}
