package io.hasp.engine.races;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A few threads that use the same objects at once, and what must hold when they have ended. Made anew for each round. */
public abstract class Race {
    /** The task of one thread. */
    public interface Racer {
        void run() throws Exception;
    }

    private final List<Racer> racers = new ArrayList<>(3);
    private @Nullable Racer caller;

    /** One more thread. To be called by the constructor. */
    public final void add(Racer racer) {
        racers.add(racer);
    }

    /** Sets the task of the thread that made the race. Called by the constructor. */
    public final void onCaller(Racer racer) {
        caller = racer;
    }

    final List<Racer> racers() {
        return racers;
    }

    /** Null if the thread that made the race only waits for the others. */
    final @Nullable Racer caller() {
        return caller;
    }

    /** Fails unless all is as it must be; the others have ended. */
    public abstract void check() throws Exception;

    public static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    public static void requireEqual(Object found, Object expected, String what) {
        if (!found.equals(expected)) {
            throw new AssertionError(what + ": " + found + " instead of " + expected);
        }
    }
}
