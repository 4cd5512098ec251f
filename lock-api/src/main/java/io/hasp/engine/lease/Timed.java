package io.hasp.engine.lease;

import io.hasp.spi.Timing;
import org.jspecify.annotations.Nullable;

/** A part of a machine's state that time changes. The machine sets the moment; the driver keeps the timer. */
public abstract class Timed {
    public static final long NEVER = Long.MAX_VALUE;

    /** The next moment at which the machine receives a TimePassed event, in the engine's nanoseconds. */
    public volatile long alarm = NEVER;

    /** The driver's timer for this subject alone, if there is one. */
    public Timing.@Nullable Timer timer;

    /** The present entry in the timer of all leases; null if there is none. */
    public volatile @Nullable Object timerEntry;

    /** The time before the alarm in which its machine may do already, together with others, what is nearly due. In nanoseconds. */
    public long early() {
        return 0;
    }
}
