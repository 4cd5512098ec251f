package io.hasp.simulator.clients;

/** The work of a holder that is interrupted when its lease is lost. */
public final class InterruptibleWork {
    /** Takes the interrupt back. */
    private Runnable unwatch = () -> {};

    private boolean interrupted;
    private long interruptedAt;
    private boolean ended;

    void watched(Runnable takenBackBy) {
        unwatch = takenBackBy;
    }

    void interrupt(long now) {
        interrupted = true;
        interruptedAt = now;
    }

    /** The holder is done, and releases its lease next. */
    void end() {
        ended = true;
        unwatch.run();
    }

    /** True if it was interrupted, and is not done yet. */
    public boolean stops() {
        return interrupted && !ended;
    }

    /** The time since it was interrupted, in nanoseconds. */
    public long stopsFor(long now) {
        return now - interruptedAt;
    }

    /** True if it goes on as if its lease were held. */
    public boolean goesOn() {
        return !ended && !interrupted;
    }
}
