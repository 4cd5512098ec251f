package io.hasp;

import io.hasp.simulator.clients.SteppedCall;
import java.util.Optional;
import java.util.function.Predicate;

/** The steps of the first {@link ReentrantDistributedLock#lock} of a thread: it acquires the lock, and counts the hold. */
final class SteppedLock implements SteppedCall<Boolean> {
    private final SteppedCall<Optional<Lease>> acquisition;
    private final Predicate<Optional<Lease>> began;

    SteppedLock(SteppedCall<Optional<Lease>> acquisition, Predicate<Optional<Lease>> began) {
        this.acquisition = acquisition;
        this.began = began;
    }

    @Override
    public boolean ready() {
        return acquisition.ready();
    }

    @Override
    public boolean step() {
        return acquisition.step();
    }

    @Override
    public void interrupt() {
        acquisition.interrupt();
    }

    @Override
    public Boolean result() {
        return began.test(acquisition.result());
    }
}
