package io.hasp.spi;

import java.util.concurrent.CompletionStage;

/** Raises the tokens of a lock above a number, for a lock that moves here from another backend or a lost one. Thread-safe. */
@FunctionalInterface
public interface TokenFloor {

    /**
     * Makes the token of every grant greater than the floor, if its holder first requests the lock after this stage completed. The floor
     * only rises: a lower one than before changes nothing. The server keeps it for as long as tokens could fall below it.
     *
     * <p>A grant that is {@linkplain Attempt.Granted#recallable recallable} may be kept, and a later holder of its client would have a
     * token of it. So the backend recalls such a grant, and completes only when its client has answered: by a release, or by a renewal that
     * no longer {@linkplain Claim#keeps keeps}. If the client is silent, this stage fails when the command timeout is over, and the call
     * may be repeated.
     *
     * @param name the lock
     * @param floor zero or more
     * @return completes when the server has the floor, and no earlier grant can be kept; fails with a {@link BackendFailure}
     */
    CompletionStage<Void> raise(LockName name, long floor);
}
