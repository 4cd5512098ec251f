package io.hasp.simulator.threads;

import java.util.Locale;

/** The purpose of a simulated thread. */
public enum ThreadRole {
    CALLER(true),
    /** A thread of the program's executor. */
    EXECUTOR(true),
    HAND_OVER(true),
    CALLBACK(true),
    NOTICE(true),
    /** The work of a leader. */
    WORK(true),
    REQUEST(false),
    BACKGROUND(false),
    RENEWAL(false),
    INTERRUPT(false),
    EFFECT(false),
    TIMER(false),
    /** Delivers what the server sends. */
    BACKEND(false);

    /** Objects of the program may be called here, and may block. */
    final boolean runsUserCode;

    ThreadRole(boolean runsUserCode) {
        this.runsUserCode = runsUserCode;
    }

    /** The role of a pool that the engine names. */
    public static ThreadRole of(String purpose) {
        return valueOf(purpose.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** True if a timer may leave a task to such a pool: an effect that users notice must go through a worker. */
    boolean servesTimers() {
        return this == EFFECT || this == RENEWAL || this == BACKGROUND || this == HAND_OVER;
    }

    /** True if other threads may run in between when such a thread calls an executor or a listener. */
    boolean isPreempted() {
        return runsUserCode || this == EFFECT;
    }
}
