package io.hasp;

import io.hasp.engine.machine.Notice;
import io.hasp.engine.machine.Outcome;
import io.hasp.spi.LockName;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of locks with the JDK's flight recorder. Without a recording, or in a JVM without the module {@code jdk.jfr}, all
 * spans are null, at the cost of reading a field. The types here refer to nothing in that module, since the JVM loads even the type of a
 * variable that a lambda captures.
 */
final class FlightRecording {
    private static final boolean PRESENT = isPresent();

    private FlightRecording() {}

    /** Spans an acquisition, from its call on. */
    interface AcquireSpan {
        void end(LockName name, Outcome outcome);

        /** Ends an acquisition of several locks; the refusal is null if they are held, or one was lost before all were held. */
        void endAll(String names, boolean acquired, @Nullable Outcome refusal);
    }

    /** Spans the sleep of a thread until it has a lock. */
    interface WaitSpan {
        /** Begins the span now, unless it has begun. */
        void begin(boolean heldInThisClient);

        /** Records nothing if the thread never slept. */
        void end(String name);
    }

    /** Spans a lease, from its beginning on. */
    interface HoldSpan {
        void end(LockName name, long token, boolean lost);
    }

    /** Returns false also without memory for the kinds of events: a class whose initialization failed would fail every later call. */
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
