package io.hasp.conformance.random;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.ReleaseResult;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.AttemptLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One acquisition from its answer to its end, and whether what is seen of it is promised. Used by one thread and callbacks. */
final class ObservedHold {
    private static final long LONGEST_NAP = TimeUnit.MILLISECONDS.toNanos(5);
    /** Why a lease may always end: its client did not get to renew it. */
    private static final String LATE = "was not confirmed before its deadline";

    private static final String DOUBTED = "its lease is SUSPECT";

    private final AskedCall call;
    private final RandomRun run;
    private final PlannedCall planned;
    private final ClientSlot.Opened client;
    private final CallLog.Entry entry;
    private final AttemptLog log;
    private boolean granted;

    /** Records a request for a mode of the lock. */
    ObservedHold(AskedCall call, LockMode mode) {
        this.call = call;
        this.run = call.run();
        this.planned = call.planned();
        this.client = call.client();
        this.entry = call.entry();
        this.log = call.acquiring(mode);
    }

    void note(String what) {
        entry.note(what);
    }

    void refused() {
        log.refused();
        overSoon();
        entry.note("refused");
        run.count("refused");
    }

    /** Refused because the name is in use as another kind of lock, which it has to be. */
    void refused(BackendException why) {
        log.refused();
        overSoon();
        entry.note("refused: " + why.getMessage());
        run.count("refused for the kind");
        if (!call.use().metAnotherKind(call.at())) {
            run.broken("nobody uses the name as another kind: " + planned.words() + ": " + why);
        }
    }

    /** The rest of the hold is withdrawn in the background. */
    private void overSoon() {
        call.use().over(System.nanoTime() + FinalChecks.SOON.toNanos());
    }

    void failed(Throwable why) {
        overSoon();
        if (!granted) {
            log.unknown(why);
        } else {
            log.releaseUnknown(why);
        }
    }

    void granted(Lease lease) {
        granted = true;
        log.granted(lease.fencingToken());
        entry.note("token " + lease.fencingToken());
        run.count("granted");
    }

    /** The rest of a reduced hold is a hold of its own, with the end of this one. */
    ObservedHold goesOn(LockMode less) {
        return new ObservedHold(call, less);
    }

    /** It went on, with that token in the history; 0 for none. */
    void goesOn(ObservedHold before, long token) {
        before.log.released(true);
        granted = true;
        log.granted(token);
        entry.note("goes on");
        run.count("went on with less");
    }

    /** Without a lease to look at: only a part of a short one is certain. */
    void granted() {
        granted = true;
        log.granted(0);
        entry.note("locked");
        run.count("granted");
        countOnTheBeginning();
    }

    /** The same after it went on. */
    void goesOn(ObservedHold before) {
        goesOn(before, 0);
        countOnTheBeginning();
    }

    private void countOnTheBeginning() {
        if (planned.mayEnd()) {
            log.deadline(call.at() + planned.least().toNanos());
        }
    }

    void hold() {
        hold(null);
    }

    /** Passes the time of the hold, whatever interrupts; they are kept. */
    void hold(@Nullable Lease lease) {
        boolean interrupted = false;
        long end = System.nanoTime() + planned.hold().toNanos();
        boolean held = lease == null || believed(lease);
        for (long left = planned.hold().toNanos(); left > 0 && held; left = end - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, LONGEST_NAP));
            interrupted |= Thread.interrupted();
            held = lease == null || believed(lease);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean believed(Lease lease) {
        long before = System.nanoTime();
        LeaseState state = lease.state();
        boolean held = state == LeaseState.HELD || state == LeaseState.SUSPECT;
        log.believes(held, before);
        return held;
    }

    void releasing() {
        log.releasing();
    }

    void releasing(Lease lease) {
        believed(lease);
        log.releasing();
    }

    void released(boolean held) {
        log.released(held);
        overSoon();
        entry.note(held ? "released" : "was lost");
    }

    /** Gives the lease back in the way that the plan wants. */
    void end(Lease lease) throws InterruptedException {
        boolean held = believed(lease);
        log.releasing();
        switch (planned.ending()) {
            case RELEASE -> judge(lease, held, lease.release());
            case RELEASE_TWICE -> {
                judge(lease, held, lease.release());
                ReleaseResult second = lease.release();
                if (second == ReleaseResult.RELEASED) {
                    run.broken("a second release says " + second + ": " + planned.words());
                }
            }
            case RELEASE_ASYNC, RELEASE_ASYNC_AND_WAIT -> endAsync(lease, held);
            case CLOSE -> close(lease);
        }
        if (believed(lease)) {
            run.broken("after its release the lease is " + lease.state() + ": " + planned.words());
        }
    }

    /** A loss is thrown, and nothing is thrown without a loss. */
    private void close(Lease lease) {
        try {
            lease.close();
        } catch (LeaseLostException e) {
            released(false);
            judgeLoss("close", e);
            return;
        }
        LeaseLostException loss = loss(lease);
        if (loss != null) {
            run.broken("close() did not throw the loss of its lease: " + planned.words() + ": " + loss);
        }
        released(loss == null);
    }

    private void endAsync(Lease lease, boolean held) throws InterruptedException {
        CompletableFuture<?> done = lease.releaseAsync().whenComplete((result, thrown) -> {
            if (thrown == null) {
                judge(lease, held, result);
            } else {
                log.releaseUnknown(thrown);
                entry.note("release failed: " + thrown);
                if (!client.closing()) {
                    run.broken("releaseAsync() on a healthy server: " + thrown + ": " + planned.words());
                }
            }
        });
        run.releases.add(done);
        if (planned.ending() == PlannedCall.Ending.RELEASE_ASYNC_AND_WAIT) {
            try {
                done.get();
            } catch (ExecutionException | CompletionException e) {
                entry.note("waited in vain");
            }
        }
    }

    private void judge(Lease lease, boolean held, ReleaseResult result) {
        log.released(result == ReleaseResult.RELEASED);
        // A client that keeps the lock has it for a moment longer.
        if (result == ReleaseResult.RELEASED && !run.recalls()) {
            call.use().over(System.nanoTime());
        } else {
            overSoon();
        }
        entry.note(result.toString());
        if (result == ReleaseResult.LOST) {
            judgeLoss("release", loss(lease));
        } else if (result == ReleaseResult.ALREADY_RELEASED && !client.closing()) {
            run.broken("the first release says " + result + ": " + planned.words());
        } else if (result == ReleaseResult.RELEASED && !held && !client.closing()) {
            run.broken("a lease that had ended was " + result + ": " + planned.words());
        }
    }

    private static @Nullable LeaseLostException loss(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseReleasedException e) {
            return null;
        } catch (LeaseLostException e) {
            return e;
        }
    }

    /** A loss is in order when the time of the lease was over, or its client was closed. */
    void judgeLoss(String seenBy, @Nullable Throwable loss) {
        String why = loss == null ? "" : loss + (loss.getCause() == null ? "" : ", " + loss.getCause());
        entry.note("lost: " + why);
        log.believes(false, System.nanoTime());
        long elapsed = System.nanoTime() - call.at();
        boolean over = (planned.mayEnd() && elapsed >= planned.least().toNanos())
                || (client.brief && elapsed >= briefAtLeast(why).toNanos());
        if (!over && !client.closing() && !why.contains(LATE)) {
            run.broken(seenBy + " finds the lock lost, on a healthy server: " + planned.words() + ": " + why);
        }
        run.count("lost");
    }

    /** A lease in doubt can't be entered again, and it is in doubt when a third of it is left. */
    private static Duration briefAtLeast(String why) {
        return why.contains(DOUBTED) ? CallPlan.BRIEF_LEASE.multipliedBy(2).dividedBy(3) : CallPlan.BRIEF_LEASE;
    }
}
