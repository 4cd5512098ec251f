package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.threads.RequestExecutor;
import java.util.List;

/** The steps of {@link LockMachine} when its client closes or fails. */
final class CloseSteps {
    private CloseSteps() {}

    static void close(LockState lock, RequestExecutor executor) {
        lock.took(Transition.CLOSING);
        if (lock.closing == null) {
            lock.closing = executor;
        }
        for (Contender contender : List.copyOf(lock.queue.waiting)) {
            WaitEndSteps.finish(lock, contender, Outcome.CLOSED);
        }
        for (Contender contender : List.copyOf(lock.queue.trying)) {
            WaitEndSteps.finish(lock, contender, Outcome.CLOSED);
        }
        if (lock.kept != null) {
            KeepSteps.end(lock, lock.kept);
        }
    }

    static void leave(LockState lock) {
        lock.took(Transition.LEAVING);
        lock.leases.all().forEach(lease -> LeaseSteps.leave(lock, lease));
    }

    static void giveEverythingBack(LockState lock, RequestExecutor executor) {
        lock.took(Transition.GIVING_EVERYTHING_BACK);
        close(lock, executor);
        for (HeldLease lease : lock.leases.all()) {
            if (lease.alive()) {
                lease.endByClose();
                ReleaseSteps.givenBack(lock, lease, new ReleaseCall(executor));
            }
        }
    }

    /** Relies on no more than it must: an event may have broken off in the middle. Waiting callers fail elsewhere. */
    static void clientFailed(LockState lock, String why) {
        lock.queue.waiting.forEach(contender -> WaitEndSteps.reportWaitEnd(lock, contender));
        lock.queue.trying.forEach(contender -> WaitEndSteps.reportWaitEnd(lock, contender));
        lock.leases.all().forEach(lease -> LeaseSteps.lostByFailure(lock, lease, why));
        lock.kept = null;
        lock.took(Transition.CLIENT_FAILED);
    }

    static void closed(LockState lock) {
        lock.took(Transition.CLOSED);
        lock.releases.close();
    }
}
