package io.hasp.conformance;

import java.util.OptionalLong;

/** A lock that a client acquired. */
public interface Hold {

    /**
     * Releases the lock.
     *
     * @return true if the lock was held until now; false after an earlier release and after a loss
     * @throws Exception if the release fails
     */
    boolean release() throws Exception;

    /**
     * Returns the fencing token.
     *
     * @return empty if the lock offers none
     */
    default OptionalLong token() {
        return OptionalLong.empty();
    }

    /**
     * Returns the client's own view of this hold, without a request to the server.
     *
     * @return true if the client still considers the lock held; always true for a lock that does not detect losses
     */
    default boolean believesHeld() {
        return true;
    }

    /**
     * Downgrades a hold for writing to one for reading, without letting a writer in between. This hold ends when the
     * method returns.
     *
     * @return the hold for reading; the caller releases that one instead
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#DOWNGRADE}
     * @throws Exception on any other failure
     */
    default Hold downgrade() throws Exception {
        throw new UnsupportedOperationException("no downgrade");
    }

    /**
     * Returns some permits and keeps the others. This hold ends when the method returns.
     *
     * @param count the permits to return; fewer than this hold has
     * @return the hold of the other permits; the caller releases that one instead
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#PARTIAL_GIVE_BACK}
     * @throws Exception on any other failure
     */
    default Hold giveBack(int count) throws Exception {
        throw new UnsupportedOperationException("permits are given back together");
    }

    /**
     * Returns the hold on one of the locks of {@link LockUser#tryAcquireAll}, with its token. Its release releases all of them.
     *
     * @param lock the name of one of the locks
     * @return the hold on that lock; this one, unless overridden
     */
    default Hold part(String lock) {
        return this;
    }
}
