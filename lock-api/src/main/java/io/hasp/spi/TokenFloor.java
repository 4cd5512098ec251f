package io.hasp.spi;

import java.util.concurrent.CompletionStage;

/** Lets the tokens of a lock start above a number, for a lock that moves here from another backend or a lost one. */
@FunctionalInterface
public interface TokenFloor {

    /**
     * Makes the token of every grant whose holder first asks after this completed greater than the floor. The floor only
     * rises: a lower one than before changes nothing. It is kept on the server for as long as tokens could fall below it.
     *
     * @param name the lock
     * @param floor zero or more
     * @return completes when the server has it; fails with a {@link BackendFailure}
     */
    CompletionStage<Void> raise(LockName name, long floor);
}
