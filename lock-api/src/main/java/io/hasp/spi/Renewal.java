package io.hasp.spi;

import java.time.Duration;

/** The outcome of renewing one grant. */
public sealed interface Renewal {

    /**
     * The server still knows the holder.
     *
     * @param validity how long the grant is good for, counted from the moment before the call
     */
    record Renewed(Duration validity) implements Renewal {}

    /**
     * The server says that the holder no longer has the lock.
     *
     * @param why in words for a log or an exception
     */
    record Lost(String why) implements Renewal {}

    /**
     * No answer, or none that tells: the engine tries again until the grant's deadline.
     *
     * @param why the failure
     */
    record Unknown(BackendFailure why) implements Renewal {}
}
