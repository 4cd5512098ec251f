package io.hasp.spi;

import java.time.Duration;

/** The outcome of the renewal of one grant. Immutable. */
public sealed interface Renewal {

    /**
     * The server still has the holder.
     *
     * @param validity the time that the grant is valid, from the moment before the call
     */
    record Renewed(Duration validity) implements Renewal {}

    /**
     * The server reports that the holder no longer has the lock.
     *
     * @param why in words for a log or an exception
     */
    record Lost(String why) implements Renewal {}

    /**
     * No answer, or an unclear one: the engine retries until the grant's deadline.
     *
     * @param why the failure
     */
    record Unknown(BackendFailure why) implements Renewal {}
}
