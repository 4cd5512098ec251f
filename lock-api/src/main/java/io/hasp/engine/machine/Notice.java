package io.hasp.engine.machine;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import org.jspecify.annotations.Nullable;

/** News of an engine's locks, for logs and metrics. Times are in nanoseconds. */
public sealed interface Notice {
    /** A lease began. */
    record Acquired(LockName name, long waited, long token) implements Notice {}

    /** A wait ended without the lock because others held it. */
    record Contended(LockName name, long waited) implements Notice {}

    /** A caller waits: others have the lock, or the service fails. */
    record Waiting(LockName name) implements Notice {}

    /** A wait ended, whatever its outcome. */
    record WaitEnded(LockName name) implements Notice {}

    /** An acquisition failed. */
    record Unavailable(LockName name, long waited, String why) implements Notice {}

    /** A lease began on a grant that another caller of this client gave back; {@link Acquired} follows. */
    record HandedOff(LockName name, long token) implements Notice {}

    /** The server confirmed a lease, so long after the renewal was due; zero for an extension. */
    record Renewed(LockName name, long token, long remaining, long delay) implements Notice {}

    /** A lease can't be confirmed at present. */
    record Suspect(LockName name, long token, long remaining) implements Notice {}

    /** A lease that was suspect is held after all. */
    record Confirmed(LockName name, long token) implements Notice {}

    /**
     * A lease was lost.
     *
     * @param held the time for which it was held; {@link #ENDED_BEFORE} if its beginning was not reported, or its end was reported before
     */
    record Lost(LockName name, long token, String why, long held) implements Notice {
        /** No time. */
        public static final long ENDED_BEFORE = -1;
    }

    /** A lease ended by release. */
    record Released(LockName name, long token, long held) implements Notice {}

    /** A grant stays with this client after its lease, at most for a time. */
    record Kept(LockName name, long token, long atMost) implements Notice {}

    /** Another client wants a lock whose grant might have been kept, or is kept. */
    record Recalled(LockName name, long token, boolean inUse) implements Notice {}

    /** An acquisition failed, and something of it may be on the server for a while. */
    record OutcomeUnknown(LockName name) implements Notice {}

    /** A pending release is given up. */
    record ReleaseGivenUp(
            LockName name, HolderId holder, @Nullable String why) implements Notice {}

    /** The service fails. */
    record OutageBegan(String why) implements Notice {}

    /** The service answers again. */
    record OutageEnded(String why, long after) implements Notice {}
}
