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

    /**
     * Goes on reading instead of writing, without letting a writer in between. This hold is over when that returns.
     *
     * @return the hold for reading, to be released instead
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#DOWNGRADE}
     * @throws Exception for everything else
     */
    default Hold downgrade() throws Exception {
        throw new UnsupportedOperationException("no downgrade");
    }

    /**
     * Gives some permits back and keeps the others. This hold is over when that returns.
     *
     * @param count fewer than it has
     * @return the hold of the others, to be released instead
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#PARTIAL_GIVE_BACK}
     * @throws Exception for everything else
     */
    default Hold giveBack(int count) throws Exception {
        throw new UnsupportedOperationException("permits are given back together");
    }
}
