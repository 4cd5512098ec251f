package io.hasp.spi;

import java.time.Duration;

/** The server's answer to a {@link Claim}. An attempt without an answer is a {@link BackendFailure}, never one of these. Immutable. */
public sealed interface Attempt {

    /**
     * The holder has the lock.
     *
     * <p>The engine keeps a grant after its release, for this client's next holder, only if it is recallable. To be recallable is a promise
     * of the backend: no other holder has requested the lock until now, and from now on the holder receives {@link Signal#WANTED} when one
     * does. So everything that the backend needs for this signal (a mark on the server that makes other clients send it, a subscription, a
     * watch) is in place before the answer.
     *
     * <p>The answer describes the <em>actual</em> state on the server and not the request. A grant is not recallable if other holders wait
     * behind it, if the token floor of the lock was raised since, or if the client receives no messages at present. A backend without
     * recalls answers false, which is correct.
     *
     * @param grant the proof
     * @param recallable true if {@link Signal#WANTED} will report another holder's request; only for a claim that
     *     {@linkplain Claim#keeps keeps}
     */
    record Granted(Grant grant, boolean recallable) implements Attempt {

        /**
         * Creates the answer for a grant that is never kept after its release.
         *
         * @param grant the proof
         */
        public Granted(Grant grant) {
            this(grant, false);
        }
    }

    /**
     * Another holder has the lock. If the claim was ready to queue, the backend will signal {@link Signal#MAYBE_FREE} when another attempt
     * is worthwhile.
     *
     * <p>A holder whose grant is recallable may keep it without using it, so each refusal recalls the grant: also the refusal of a claim
     * that does not queue, and also after an earlier recall, since a message may have been lost. Only the client of that holder has the
     * information whether the lock is in use. The engine therefore repeats a claim that does not queue a few times within some milliseconds
     * after a recalled refusal. By then the lock is free; or the holder has answered by a renewal that no longer keeps, and the refusal is
     * a plain one; or the holder is silent, which counts as held.
     *
     * @param pollAfter the latest moment of the next attempt, should the signal get lost. For a recalled claim that does not queue: the
     *     pause before the next attempt, such as 1 ms; each further pause is twice as long
     * @param recalled true if the holder keeps, according to the server, and was recalled
     */
    record Busy(Duration pollAfter, boolean recalled) implements Attempt {

        /**
         * Creates the answer for a lock that is in use.
         *
         * @param pollAfter the latest moment of the next attempt, should the signal get lost
         */
        public Busy(Duration pollAfter) {
            this(pollAfter, false);
        }
    }

    /** This holder id can't be granted any more (withdrawn, or its place was lost): a further attempt needs a new id. */
    record Gone() implements Attempt {}
}
