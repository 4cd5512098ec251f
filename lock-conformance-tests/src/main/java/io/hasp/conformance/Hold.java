package io.hasp.conformance;

import java.util.OptionalLong;

/** A lock that was taken. */
public interface Hold {

    /**
     * Gives the lock back.
     *
     * @return whether it was held until now: false after an earlier release, and after the lock was lost
     * @throws Exception if that can't be done
     */
    boolean release() throws Exception;

    /**
     * The fencing token.
     *
     * @return empty if the lock offers none
     */
    default OptionalLong token() {
        return OptionalLong.empty();
    }

    /**
     * Whether the client still believes that it holds the lock, without asking the server.
     *
     * @return the belief; always true if the lock can't tell
     */
    default boolean believesHeld() {
        return true;
    }
}
