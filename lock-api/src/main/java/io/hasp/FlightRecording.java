package io.hasp;

import io.hasp.engine.machine.Notice;
import io.hasp.engine.machine.Outcome;
import io.hasp.spi.LockName;
import org.jspecify.annotations.Nullable;

/**
 * Records what happens to locks with the JDK's flight recorder. Without a recording, or in a JVM without the module {@code jdk.jfr}, what
 * is asked for here is null, which costs a look at a field. Its types have nothing of that module, since even the type of a variable
 * that a lambda captures is loaded.
 */
final class FlightRecording {
    private static final boolean PRESENT = isPresent();

    private FlightRecording() {}

    /** An acquisition, from its call on. */
    interface AcquireSpan {
        void end(LockName name, Outcome outcome);
    }

    /** A thread that may come to sleep until it has a lock. */
    interface WaitSpan {
        /** It goes to sleep now, if it has not done so before. */
        void begin(boolean heldInThisClient);

        /** Records nothing if it never slept. */
        void end(LockName name);
    }

    /** A lease, from its beginning on. */
    interface HoldSpan {
        void end(LockName name, long token, boolean lost);
    }

    /** Without memory for the kinds of events there are none: a class whose initialization failed would fail every later call. */
    private static boolean isPresent() {
        try {
            ClassLoader loader = FlightRecording.class.getClassLoader();
            Class.forName("jdk.jfr.Event", false, loader);
            Class.forName("io.hasp.FlightEvents", true, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError | OutOfMemoryError absent) {
            return false;
        }
    }

    static @Nullable AcquireSpan acquire() {
        return PRESENT ? FlightEvents.acquire() : null;
    }

    static @Nullable WaitSpan waiting() {
        return PRESENT ? FlightEvents.waiting() : null;
    }

    static @Nullable HoldSpan hold() {
        return PRESENT ? FlightEvents.hold() : null;
    }

    static void lost(Notice.Lost notice) {
        if (PRESENT) {
            FlightEvents.lost(notice);
        }
    }
}
