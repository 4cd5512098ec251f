package io.hasp.simulator.clients;

/** A user of a client that takes several locks at once, or stands in an election. It is there in the place of a caller. */
public interface Participant {
    /** Makes one call that fits its phase; false if there is none to make. */
    boolean act();

    /** Time is about to pass, and its undisturbed client has nothing left to do. */
    void look();

    /** Everything heals. */
    default void heal() {}

    /** Everything has healed: the participant ends its use of the client once it has had its locks. */
    void finish();

    /** True if it waits for that lock, or has it. */
    boolean mayUse(int name);

    /** True if it waits for nothing and has nothing. */
    boolean isDone();

    /** A hash of what it does. */
    long state();
}
