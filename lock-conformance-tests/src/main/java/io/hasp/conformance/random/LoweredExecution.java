package io.hasp.conformance.random;

import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.conformance.LockMode;

/** The second half of a hold that goes on with less of its lock: a writer reads on, a holder of permits gives some back. */
final class LoweredExecution {
    private final RandomRun run;
    private final PlannedCall planned;
    private final LockClient client;
    private final ObservedHold observed;

    LoweredExecution(RandomRun run, PlannedCall planned, LockClient client, ObservedHold observed) {
        this.run = run;
        this.planned = planned;
        this.client = client;
        this.observed = observed;
    }

    void run(Lease lease, LockMode less) throws InterruptedException {
        observed.releasing(lease);
        ObservedHold rest = observed.goesOn(less);
        Lease left;
        try {
            left = lowered(lease, less);
        } catch (LeaseLostException e) {
            observed.judgeLoss("lowering", e);
            rest.failed(e);
            observed.failed(e);
            return;
        } catch (RuntimeException | Error e) {
            rest.failed(e);
            throw e;
        }
        rest.goesOn(observed, judgedToken(lease, left));
        if (lease.release() == ReleaseResult.RELEASED) {
            run.broken("the former lease of " + left + " could still be released: " + planned.words());
        }
        rest.hold(left);
        rest.end(left);
    }

    private Lease lowered(Lease lease, LockMode less) {
        String name = run.lock(planned.lock());
        return less.equals(LockMode.READ)
                ? client.readWriteLock(name, planned.options()).downgrade(lease)
                : client.semaphore(name, less.capacity(), planned.options())
                        .giveBack(lease, lease.permits() - less.weight());
    }

    /** A reader's is larger than that of the writer it was. The name of permits stays, which in a history is no new one. */
    private long judgedToken(Lease before, Lease left) {
        boolean reads = planned.mode().mode().equals(LockMode.WRITE);
        boolean right =
                reads ? left.fencingToken() > before.fencingToken() : left.fencingToken() == before.fencingToken();
        if (!right) {
            run.broken(left + " follows " + before + ": " + planned.words());
        }
        return reads ? left.fencingToken() : 0;
    }
}
