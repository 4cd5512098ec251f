package io.hasp.conformance.random;

import java.util.List;

/** An administrator's view of a lock on the backend. */
@FunctionalInterface
public interface ServerView {

    /**
     * Lists the server's state for the holders and waiters of a lock. State that stays by design without them, such as
     * a counter for tokens, is left out.
     *
     * @param lock the lock's name
     * @return keys, nodes or queue entries in words; empty if nothing is left
     * @throws Exception if the server can't be reached
     */
    List<String> at(String lock) throws Exception;
}
