package io.hasp.engine;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import org.jspecify.annotations.Nullable;

/** What an engine tells of its locks, for logs and metrics. Times are in nanoseconds. */
public sealed interface Notice {
    /** A lease began. */
    record Acquired(LockName name, long waited, long token) implements Notice {}

    /** A wait ended without the lock because others held it. */
    record Contended(LockName name, long waited) implements Notice {}

    /** A lease began on a grant that another caller of this client gave back; {@link Acquired} follows. */
    record HandedOff(LockName name, long token) implements Notice {}

    /** The server confirmed a lease. */
    record Renewed(LockName name, long token, long remaining) implements Notice {}

    /** A lease can't be confirmed at present. */
    record Suspect(LockName name, long token, long remaining) implements Notice {}

    /** A lease that was suspect is held after all. */
    record Confirmed(LockName name, long token) implements Notice {}

    /** A lease was lost. */
    record Lost(LockName name, long token, String why) implements Notice {}

    /** A lease ended by release. */
    record Released(LockName name, long token, long held) implements Notice {}

    /** A grant stays with this client after its lease, at most for a time. */
    record Kept(LockName name, long token, long atMost) implements Notice {}

    /** Another client wants a lock whose grant might have been kept, or is kept. */
    record Recalled(LockName name, long token, boolean inUse) implements Notice {}

    /** An acquisition failed, and something of it may be on the server for a while. */
    record OutcomeUnknown(LockName name) implements Notice {}

    /** A release is not repeated any more. */
    record ReleaseGivenUp(
            LockName name, HolderId holder, @Nullable String why) implements Notice {}

    /** The service fails. */
    record OutageBegan(String why) implements Notice {}

    /** The service answers again. */
    record OutageEnded(String why, long after) implements Notice {}
}
