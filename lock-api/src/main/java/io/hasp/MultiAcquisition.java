package io.hasp;

import io.hasp.engine.Acquisition;
import io.hasp.engine.LeaseControl;
import io.hasp.engine.LockEngine;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks, or none: a state machine over one acquisition per lock.
 *
 * <p>A round requests all missing locks at the same time, without a wait. The locks before the first refusal are kept, those behind it are
 * released. The refused lock is then waited for, with what is left of the wait, and the next round begins behind it. So a caller waits for
 * one lock at a time and holds only locks that come before it: callers that use the same order can't deadlock. A lease that is lost on the
 * way counts as a refusal.
 *
 * <p>Steps are taken one at a time, in the order of their events, by an executor of the caller's choice. No step blocks.
 */
final class MultiAcquisition {
    private final LockEngine engine;
    private final RequestExecutor requests;
    private final Executor steps;
    private final long wait;
    private final long begunAt;
    private final long end;
    private final Part[] parts;

    /** Completes with the end of the acquisition; fails only with an error. */
    final CompletableFuture<End> result = new CompletableFuture<>();

    private final List<CompletableFuture<?>> releases = new ArrayList<>();
    /** The lock that is waited for, in order; null during a round. */
    private @Nullable Part waitedFor;

    /** True once a lost lock was requested again after the wait: the answer shows if others have it, or if the service fails. */
    private boolean askedAfterEnd;

    private boolean ended;

    /**
     * The end of an acquisition.
     *
     * @param lock decided the outcome; null if all locks are held
     * @param outcome without a lease; null if the lease of that lock was lost before all locks were held, or if all are held
     * @param leases of all locks; in case of a loss, the lost one
     */
    record End(@Nullable DistributedLock lock, @Nullable Outcome outcome, List<LeaseControl> leases) {
        boolean acquired() {
            return lock == null;
        }
    }

    private enum State {
        UNTRIED,
        ASKED,
        HELD,
        REFUSED,
        LOST
    }

    /** One lock of the acquisition. */
    private static final class Part {
        final DistributedLock lock;
        final int index;
        State state = State.UNTRIED;
        /** Set while it is ASKED. */
        volatile @Nullable Acquisition asked;
        /** Set while it is HELD, and for the reason of a loss. */
        @Nullable
        LeaseControl lease;
        /** Set while it is REFUSED. */
        @Nullable
        Outcome refusal;

        Part(DistributedLock lock, int index) {
            this.lock = lock;
            this.index = index;
        }
    }

    /**
     * Prepares an acquisition.
     *
     * @param locks in their canonical order
     * @param wait for all of them, in nanoseconds; zero for a single attempt
     * @param requests makes the requests
     * @param steps takes the steps, one at a time and in their order
     */
    MultiAcquisition(
            LockEngine engine, List<DistributedLock> locks, long wait, RequestExecutor requests, Executor steps) {
        this.engine = engine;
        this.requests = requests;
        this.steps = steps;
        this.wait = wait;
        this.begunAt = engine.now();
        this.end = wait < Nanos.FOREVER ? begunAt + wait : Long.MAX_VALUE;
        this.parts = new Part[locks.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part(locks.get(i), i);
        }
    }

    void begin() {
        step(() -> round(0));
    }

    /** Gives up, and releases what is held, also after the result. A step by itself: only the executor of steps calls it. */
    void abandonNow() {
        ended = true;
        releaseBehind(-1);
        result.complete(new End(parts[0].lock, Outcome.ABANDONED, List.of()));
    }

    /** Gives up as soon as the present step has ended. */
    void abandon() {
        step(this::abandonNow);
    }

    /** Starts what waits for the calling thread. */
    void help() {
        for (Part part : parts) {
            Acquisition asked = part.asked;
            if (asked != null) {
                asked.help(result);
            }
        }
    }

    /** Returns true while it waits for one of the locks. For the executor of steps. */
    boolean waits() {
        return waitedFor != null;
    }

    /** Returns the lease of this client that it waits for; null if there is none. For the executor of steps. */
    @Nullable
    HeldLease blockedBy() {
        Acquisition asked = waitedFor == null ? null : waitedFor.asked;
        return asked == null ? null : asked.blockedBy();
    }

    private void step(Runnable step) {
        steps.execute(() -> {
            try {
                step.run();
            } catch (Throwable broken) {
                if (result.completeExceptionally(broken)) {
                    ended = true;
                    releaseBehind(-1);
                }
                throw broken;
            }
        });
    }

    /** Requests all missing locks from this one on, without a wait. */
    private void round(int from) {
        waitedFor = null;
        releases.removeIf(CompletableFuture::isDone);
        for (int i = from; i < parts.length; i++) {
            Part part = parts[i];
            ask(part, engine.acquirePart(part.lock.lockName(), part.lock.terms(), requests.part()));
        }
    }

    private void ask(Part part, Acquisition asked) {
        part.state = State.ASKED;
        part.asked = asked;
        asked.result()
                .whenComplete((outcome, thrown) ->
                        step(() -> answered(part, asked, thrown == null ? outcome : Outcome.CLOSED)));
        asked.awaitElsewhere();
    }

    private void answered(Part part, Acquisition asked, Outcome outcome) {
        if (part.asked != asked) {
            // Abandoned since; a lease was given back.
            return;
        }
        part.asked = null;
        if (outcome instanceof Outcome.Acquired acquired) {
            LeaseControl lease = asked.lease(acquired);
            part.state = State.HELD;
            part.lease = lease;
            lease.whenEnded(() -> step(() -> lost(part, lease)));
        } else {
            part.state = State.REFUSED;
            part.refusal = outcome;
        }
        goOn();
    }

    private void lost(Part part, LeaseControl lease) {
        if (!ended && part.lease == lease && part.state == State.HELD) {
            part.state = State.LOST;
            goOn();
        }
    }

    private void goOn() {
        if (ended) {
            return;
        }
        int missing = firstMissing();
        Part present = waitedFor;
        if (present != null && present.state == State.ASKED) {
            if (missing == present.index) {
                return;
            }
        } else if (asking()) {
            return;
        }
        releaseBehind(missing);
        if (missing == parts.length) {
            acquired();
        } else if (parts[missing].state == State.UNTRIED) {
            round(missing);
        } else {
            refused(parts[missing]);
        }
    }

    private int firstMissing() {
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].state != State.HELD) {
                return i;
            }
        }
        return parts.length;
    }

    private boolean asking() {
        for (Part part : parts) {
            if (part.state == State.ASKED) {
                return true;
            }
        }
        return false;
    }

    /** Releases each lock behind a refused one, or gives its request up. */
    private void releaseBehind(int refused) {
        for (int i = refused + 1; i < parts.length; i++) {
            Part part = parts[i];
            Acquisition asked = part.asked;
            LeaseControl lease = part.lease;
            part.asked = null;
            part.lease = null;
            if (asked != null) {
                asked.abandon();
            } else if (lease != null && part.state == State.HELD) {
                release(lease);
            }
            part.state = State.UNTRIED;
            part.refusal = null;
        }
    }

    private void release(LeaseControl lease) {
        ReleaseCall call = lease.beginRelease(requests);
        lease.track(call);
        releases.add(call.result);
    }

    /** Waits for that lock, unless its refusal is final. If it was lost, it is requested once more even after the wait. */
    private void refused(Part part) {
        long left = wait < Nanos.FOREVER ? Math.max(0, end - engine.now()) : Nanos.FOREVER;
        boolean waited = part == waitedFor;
        Outcome refusal = part.state == State.LOST ? null : part.refusal;
        boolean over = left == 0 && (refusal != null || askedAfterEnd);
        if (refusal instanceof Outcome.Closed || over || (waited && refusal != null)) {
            finish(part, refusal);
        } else {
            askedAfterEnd = left == 0;
            waitedFor = part;
            part.lease = null;
            part.refusal = null;
            ask(part, engine.acquire(part.lock.lockName(), part.lock.terms(), left, requests.part()));
        }
    }

    private void acquired() {
        ended = true;
        List<LeaseControl> leases = new ArrayList<>();
        for (Part part : parts) {
            if (part.lease != null) {
                leases.add(part.lease);
            }
        }
        result.complete(new End(null, null, leases));
    }

    private void finish(Part part, @Nullable Outcome outcome) {
        ended = true;
        List<LeaseControl> lost = outcome == null && part.lease != null ? List.of(part.lease) : List.of();
        if (outcome != null && part != waitedFor) {
            engine.reportRefusal(part.lock.lockName(), outcome, engine.now() - begunAt);
        }
        releaseBehind(-1);
        End last = new End(part.lock, outcome, lost);
        if (outcome instanceof Outcome.Contended) {
            // A caller that is refused finds the other locks free.
            CompletableFuture.allOf(releases.toArray(CompletableFuture[]::new))
                    .whenComplete((any, failure) -> step(() -> result.complete(last)));
        } else {
            result.complete(last);
        }
    }
}
