package io.hasp;

import io.hasp.engine.Acquisition;
import io.hasp.engine.LockEngine;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.machine.Outcome;
import io.hasp.simulator.clients.SteppedCall;
import io.hasp.spi.LockName;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The steps of {@link DistributedLock#acquire} on an open client: it joins, makes its requests, and sleeps. */
final class SteppedAcquisition implements SteppedCall<Optional<Lease>> {
    private final SteppedExecutor executor;
    private final Runnable whenWoken;
    private final LockEngine engine;
    private final DistributedLock lock;
    private final LeaseTerms terms;
    private final long wait;
    private @Nullable Acquisition acquisition;
    private boolean rested;
    private boolean interrupted;
    private boolean returned;

    SteppedAcquisition(LockEngine engine, DistributedLock lock, LeaseTerms terms, long wait, Runnable whenWoken) {
        this.executor = new SteppedExecutor(whenWoken);
        this.whenWoken = whenWoken;
        this.engine = engine;
        this.lock = lock;
        this.terms = terms;
        this.wait = wait;
    }

    @Override
    public boolean ready() {
        Acquisition begun = acquisition;
        return !returned && (interrupted || begun == null || begun.result().isDone() || !executor.none() || !rested);
    }

    @Override
    public boolean step() {
        Acquisition begun = acquisition;
        if (interrupted) {
            returned = true;
            if (begun != null) {
                begun.abandon();
            }
        } else if (begun == null) {
            acquisition = engine.acquire(new LockName(lock.name()), terms, wait, executor);
        } else if (begun.result().isDone()) {
            returned = true;
            executor.leave();
        } else if (!executor.run() && !rested) {
            rested = true;
            begun.result().whenComplete((outcome, thrown) -> whenWoken.run());
            begun.awaitElsewhere();
        }
        return returned;
    }

    /** Its requests are dropped now, and with its last step it gives up. */
    @Override
    public void interrupt() {
        interrupted = true;
        executor.leave();
    }

    @Override
    public Optional<Lease> result() {
        Acquisition ended = Objects.requireNonNull(acquisition);
        Outcome outcome;
        try {
            outcome = ended.result().join();
        } catch (CompletionException e) {
            throw new ClientClosedException("the lock client was closed", lock.name());
        }
        return lock.acquirer.lease(ended, outcome, List.of(), null);
    }
}
