package io.hasp.conformance.faults;

import io.hasp.conformance.servers.Server;
import java.time.Duration;
import org.opentest4j.TestAbortedException;

/**
 * What a rule can break around the lock under test. An adopter overrides what it can do; a rule that needs more is skipped
 * with the reason.
 */
public interface Faults {

    /**
     * What the lock's server is, to be paused, killed and restarted. Several servers that serve as one count as one.
     *
     * @return the server
     */
    default Server server() {
        throw missing("pause, kill or restart the server");
    }

    /**
     * Removes a lock's key or node behind the back of its holder, as an administrator could.
     *
     * @param lock the name that the subject was given
     * @throws Exception if that can't be done
     */
    default void deleteLock(String lock) throws Exception {
        throw missing("delete a lock as administrator");
    }

    /**
     * Ends the connections on which waiting clients are notified, so that a notification sent now reaches nobody.
     *
     * @throws Exception if that can't be done
     */
    default void loseNotifications() throws Exception {
        throw missing("lose the notifications of waiters");
    }

    /**
     * Makes the server hold back requests that write, for a while, and then serve them in their order of arrival. Reads
     * are answered all the time.
     *
     * @param time for how long
     * @return how to see what is held back
     * @throws Exception if that can't be done
     */
    default HeldRequests holdWrites(Duration time) throws Exception {
        throw missing("hold writing requests back");
    }

    /**
     * Asks the server who is at a lock: its holder, and those who wait for it in a queue on the server.
     *
     * @param lock the name that the subject was given
     * @return how many
     * @throws Exception if the server can't be asked
     */
    default int present(String lock) throws Exception {
        throw missing("ask the server who is at a lock");
    }

    /**
     * How many commands or packets the server has received.
     *
     * @return a count that grows
     * @throws Exception if the server can't be asked
     */
    default long received() throws Exception {
        throw missing("count what the server receives");
    }

    /**
     * How many keys or nodes the server keeps, whatever for.
     *
     * @return the count at this moment
     * @throws Exception if the server can't be asked
     */
    default long kept() throws Exception {
        throw missing("count what the server keeps");
    }

    /**
     * Ends on the server the sessions of all who hold a lock or wait for it.
     *
     * @param lock the name that the subject was given
     * @throws Exception if that can't be done
     */
    default void endSessions(String lock) throws Exception {
        throw missing("end the session of a client");
    }

    /** Requests that the server holds back. */
    @FunctionalInterface
    interface HeldRequests {
        /**
         * How many clients wait for an answer that is held back.
         *
         * @return zero or more
         * @throws Exception if the server can't be asked
         */
        int waiting() throws Exception;
    }

    /**
     * Nothing can be broken.
     *
     * @return the same as not implementing anything
     */
    static Faults none() {
        return new Faults() {};
    }

    private static RuntimeException missing(String what) {
        return new TestAbortedException("no means here to " + what);
    }
}
