package io.hasp.spi;

import java.time.Duration;

/** The server's answer to a {@link Claim}. An attempt without an answer is a {@link BackendFailure}, never one of these. */
public sealed interface Attempt {

    /**
     * The holder has the lock.
     *
     * <p>The engine keeps a grant after its release, for this client's next holder, only if it is recallable. That is a promise of
     * the backend: nobody else has asked for the lock until now, and from now on the holder hears {@link Signal#WANTED} when
     * somebody does. So all that the backend needs to hear of others (a mark on the server that makes them tell, a subscription, a
     * watch) is in place before it answers so. It says what <em>is</em> so on the server and not what it asked for: a grant behind
     * which others wait, a lock whose token floor was raised meanwhile, and every grant of a client that hears nothing at present
     * are not recallable. A backend that knows nothing of this says false, and is correct.
     *
     * @param grant the proof of it
     * @param recallable whether {@link Signal#WANTED} will tell if another holder wants the lock; true only for a claim that
     *     {@linkplain Claim#keeps keeps}
     */
    record Granted(Grant grant, boolean recallable) implements Attempt {

        /**
         * A grant that is never kept after its release.
         *
         * @param grant the proof of it
         */
        public Granted(Grant grant) {
            this(grant, false);
        }
    }

    /**
     * Another holder has the lock. If the claim was ready to queue, the backend will signal
     * {@link Signal#MAYBE_FREE} when another attempt is worthwhile.
     *
     * <p>A holder whose grant is recallable may keep it without a use for it, so each refusal recalls it: also that of a claim which
     * does not queue, and also if it was recalled before, since a message may have been lost. Only that holder's client knows
     * whether the lock is in use. The engine therefore does not believe a recalled refusal of a claim that does not queue: it asks
     * again a few times within some milliseconds. By then the lock is free; or the holder has answered that it is in use, by a
     * renewal that no longer keeps, and the refusal is a plain one; or the holder is silent, which counts as held.
     *
     * @param pollAfter when to attempt again at the latest should the signal get lost. For a recalled claim that does not queue:
     *     when to attempt again first, such as 1 ms; each further pause is twice as long
     * @param recalled whether the holder keeps, as far as the server knows, and was told that the lock is wanted
     */
    record Busy(Duration pollAfter, boolean recalled) implements Attempt {

        /**
         * A lock that is in use.
         *
         * @param pollAfter when to attempt again at the latest should the signal get lost
         */
        public Busy(Duration pollAfter) {
            this(pollAfter, false);
        }
    }

    /** This holder id can't be granted any more (withdrawn, or its place was lost): attempt again with a new one. */
    record Gone() implements Attempt {}
}
