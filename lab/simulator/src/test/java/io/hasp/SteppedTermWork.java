package io.hasp;

import io.hasp.simulator.clients.SteppedWork;
import org.jspecify.annotations.Nullable;

/** Makes the steps of {@link TermWork#run}. */
final class SteppedTermWork implements SteppedWork, TermWork.Worker {
    private final TermWork work;
    private Runnable whenInterrupted = () -> {};
    private Runnable unwatch = () -> {};
    private boolean present;

    SteppedTermWork(TermWork work) {
        this.work = work;
    }

    @Override
    public TermAction action() {
        return work.action();
    }

    @Override
    public Term term() {
        return work.term();
    }

    @Override
    public boolean begin(Runnable interrupt) {
        whenInterrupted = interrupt;
        if (!work.begins(this)) {
            end(null);
            return false;
        }
        Lease lease = work.term().lease();
        try {
            lease.ensureHeld();
        } catch (LeaseLostException | LeaseReleasedException e) {
            end(e);
            return false;
        }
        unwatch = lease.whenCutShort(interrupt);
        return true;
    }

    @Override
    public void calls(Runnable call) {
        present = true;
        try {
            call.run();
        } finally {
            present = false;
        }
    }

    @Override
    public void end(@Nullable RuntimeException failure) {
        unwatch.run();
        work.ends();
        work.ended(failure);
    }

    @Override
    public boolean isPresent() {
        return present;
    }

    @Override
    public void interrupt() {
        whenInterrupted.run();
    }
}
