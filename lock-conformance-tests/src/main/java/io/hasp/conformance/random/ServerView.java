package io.hasp.conformance.random;

import java.util.List;

/** What an administrator of the backend sees of a lock. */
@FunctionalInterface
public interface ServerView {

    /**
     * Lists what the server keeps for those who hold a lock or wait for it. What stays by design when nobody does, such as a
     * counter for tokens, is left out.
     *
     * @param lock the lock's name
     * @return keys, nodes or queue entries in words; empty if nothing is left
     * @throws Exception if the server can't be asked
     */
    List<String> at(String lock) throws Exception;
}
