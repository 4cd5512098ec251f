package io.hasp.engine.lease;

import io.hasp.spi.Timing;
import org.jspecify.annotations.Nullable;

/** A part of a machine's state to which time means something. The machine sets the moment; the driver keeps the timer. */
public abstract class Timed {
    public static final long NEVER = Long.MAX_VALUE;

    /** When to say that time has passed, in the engine's nanoseconds. */
    public volatile long alarm = NEVER;

    /** The driver's, for one whose moment is met by a timer of its own. */
    public Timing.@Nullable Timer timer;

    /** True if its machine may do early what is nearly due, together with others. */
    public boolean mayComeEarly() {
        return false;
    }
}
