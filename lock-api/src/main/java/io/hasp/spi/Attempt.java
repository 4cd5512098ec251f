package io.hasp.spi;

import java.time.Duration;

/** The server's answer to a {@link Claim}. An attempt without an answer is a {@link BackendFailure}, never one of these. */
public sealed interface Attempt {

    /**
     * The holder has the lock.
     *
     * @param grant the proof of it
     */
    record Granted(Grant grant) implements Attempt {}

    /**
     * Another holder has the lock. If the claim was ready to queue, the backend will signal
     * {@link Signal#MAYBE_FREE} when another attempt is worthwhile.
     *
     * @param pollAfter when to attempt again at the latest should the signal get lost
     */
    record Busy(Duration pollAfter) implements Attempt {}

    /** This holder id can't be granted any more (withdrawn, or its place was lost): attempt again with a new one. */
    record Gone() implements Attempt {}
}
