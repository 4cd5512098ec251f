package io.hasp.spi;

import java.util.concurrent.CompletionStage;

/** Lets the tokens of a lock start above a number, for a lock that moves here from another backend or a lost one. */
@FunctionalInterface
public interface TokenFloor {

    /**
     * Makes the token of every grant whose holder first asks after this completed greater than the floor. The floor only
     * rises: a lower one than before changes nothing. It is kept on the server for as long as tokens could fall below it.
     *
     * <p>A grant that is {@linkplain Attempt.Granted#recallable recallable} may be kept, and a later holder of its client would have a
     * token of it. So the backend recalls such a grant, and completes only when its client has answered: by a release, or by a renewal
     * that no longer {@linkplain Claim#keeps keeps}. If it is silent, this fails when the command timeout is over, and may be repeated.
     *
     * @param name the lock
     * @param floor zero or more
     * @return completes when the server has it, and no grant from before can be kept; fails with a {@link BackendFailure}
     */
    CompletionStage<Void> raise(LockName name, long floor);
}
