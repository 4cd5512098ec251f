package io.hasp.simulator;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientClosedException;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.ReentrantDistributedLock;
import io.hasp.ReleaseResult;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a caller's thread does with a {@link ReentrantDistributedLock}: locks, re-enters, unlocks, also once too often and for
 * another thread. After each call its hold count and its lease are what they must be.
 */
final class ReentrantLockActions {
    /** As many callers as a client has at most. */
    private static final int THREADS = 4;

    private static final long ANY_TIME = 50;

    private interface LockCall {
        void run() throws InterruptedException;
    }

    private final SimulationRun run;
    private final SimulatedCaller caller;
    private @Nullable ReentrantDistributedLock view;
    private @Nullable Lease lease;
    private int holdCount;
    private boolean keepsInterrupts;

    ReentrantLockActions(SimulationRun run, SimulatedCaller caller) {
        this.run = run;
        this.caller = caller;
    }

    int holdCount() {
        return holdCount;
    }

    /** Whether its thread waits in a call that keeps an interrupt for later. */
    boolean keepsInterrupts() {
        return keepsInterrupts;
    }

    /** The first lock: {@code lock}, {@code lockInterruptibly} or {@code tryLock}, in steps; without a wait perhaps at once. */
    void lock() {
        ReentrantDistributedLock begun = caller.client.driver.asLock(run.name(caller.name), caller.options());
        view = begun;
        boolean interruptible = run.choices.below(2) == 0;
        try {
            if (caller.wait.isZero() && interruptible) {
                tryAtOnce(begun);
                return;
            }
            caller.thread.begin(
                    caller.client.driver.lock(begun, caller.options(), caller.index, caller.wait),
                    locked -> ended(begun, locked, null),
                    e -> ended(begun, false, e));
            keepsInterrupts = !interruptible && (caller.wait.isZero() || caller.wait.equals(SimulatedCaller.FOREVER));
        } catch (ClientClosedException e) {
            ended(begun, false, e);
        }
    }

    private void tryAtOnce(ReentrantDistributedLock begun) {
        boolean[] locked = new boolean[1];
        Throwable thrown = thrownBy(caller.index, () -> locked[0] = begun.tryLock());
        ended(begun, locked[0], thrown);
    }

    private void ended(ReentrantDistributedLock begun, boolean locked, @Nullable Throwable thrown) {
        keepsInterrupts = false;
        holdCount = locked ? 1 : 0;
        Optional<Lease> mine = as(caller.index, begun::lease);
        lease = mine.orElse(null);
        caller.outcome(mine, thrown);
        checkHold();
    }

    /** The thread has locked, and its lease was not released through itself. */
    boolean use() {
        switch (run.choices.below(9)) {
            case 3, 4 -> reenter();
            case 5 -> reenterOtherwise();
            case 6 -> unlockForAnother();
            case 7, 8 -> {
                return caller.useLease();
            }
            default -> unlock();
        }
        return true;
    }

    /** Its lease was released through itself: each unlock that is owed tells of that. */
    boolean useAfterRelease() {
        if (caller.thread.blocks()) {
            return false;
        }
        if (run.choices.oneIn(3)) {
            reenter();
        } else {
            unlockReleased();
        }
        return true;
    }

    void unlockAll() {
        while (holdCount > 0 && !caller.thread.blocks()) {
            if (caller.phase == SimulatedCaller.Phase.HOLDING) {
                unlock();
            } else if (caller.phase == SimulatedCaller.Phase.IDLE) {
                unlockReleased();
            } else {
                return;
            }
        }
    }

    private void unlock() {
        TrackedLease mine = caller.tracked;
        ReentrantDistributedLock locked = view;
        if (mine == null || locked == null) {
            return;
        }
        caller.note("unlocks ", mine.lease);
        LeaseState before = mine.lease.state();
        boolean last = --holdCount == 0;
        if (last) {
            caller.phase = SimulatedCaller.Phase.RELEASING;
            run.checks.waits.held(caller.client.index, caller.name);
        }
        Throwable thrown = thrownBy(caller.index, locked::unlock);
        caller.note("unlocked: " + (thrown == null ? "RELEASED" : thrown));
        checkHold();
        if (last) {
            lease = null;
            ended(mine, before, thrown);
        } else if (isAlive(before) ? thrown != null : !isLoss(thrown, before)) {
            throw run.violated("a loss is told at unlock", caller + " unlocked " + mine.lease + ": " + thrown);
        }
    }

    /** The last unlock: the same as a release of the lease, in other words. */
    private void ended(TrackedLease mine, LeaseState before, @Nullable Throwable thrown) {
        caller.phase = SimulatedCaller.Phase.IDLE;
        caller.tracked = null;
        boolean failed = thrown instanceof BackendUnavailableException || thrown instanceof ClientClosedException;
        if (thrown != null && !failed && !isLoss(thrown, before)) {
            throw run.violated("failures are known", caller + " failed to unlock " + mine.lease + ": " + thrown);
        }
        if (before == LeaseState.RELEASED && thrown == null) {
            throw run.violated("a loss is told at unlock", caller + " unlocked " + mine.lease + " as if it had it");
        }
        ReleaseResult result = failed
                ? null
                : thrown == null
                        ? ReleaseResult.RELEASED
                        : before == LeaseState.RELEASED ? ReleaseResult.ALREADY_RELEASED : ReleaseResult.LOST;
        run.checks.ends.released(mine, before, result, failed ? thrown : null);
    }

    /** The view tells that the lease is over, and why: it was lost, or the client was closed. */
    private static boolean isLoss(@Nullable Throwable thrown, LeaseState before) {
        return thrown instanceof IllegalMonitorStateException
                && (thrown.getCause() instanceof LeaseLostException
                        || (before == LeaseState.RELEASED && thrown.getCause() instanceof ClientClosedException));
    }

    private static boolean isAlive(LeaseState state) {
        return state == LeaseState.HELD || state == LeaseState.SUSPECT;
    }

    private void unlockReleased() {
        ReentrantDistributedLock locked = view;
        if (locked != null) {
            caller.note("unlocks what was released");
            holdCount--;
            Throwable thrown = thrownBy(caller.index, locked::unlock);
            checkHold();
            if (!(thrown instanceof IllegalMonitorStateException)) {
                throw run.violated("a loss is told at unlock", caller + " unlocked a released lease: " + thrown);
            }
        }
    }

    private void reenter() {
        Lease mine = lease;
        ReentrantDistributedLock locked = view;
        if (mine == null || locked == null) {
            return;
        }
        caller.note("re-enters ", mine);
        LeaseState before = mine.state();
        long sent = run.network.sent;
        int how = run.choices.below(4);
        Throwable thrown = thrownBy(caller.index, () -> reenter(locked, how));
        holdCount += before == LeaseState.HELD ? 1 : 0;
        boolean refused = thrown instanceof IllegalMonitorStateException
                && (before != LeaseState.LOST || thrown.getCause() instanceof LeaseLostException);
        if (before == LeaseState.HELD ? thrown != null : !refused) {
            throw run.violated(
                    "re-entry needs a lease that is HELD",
                    caller + " re-entered " + mine + ", " + before + ": " + thrown);
        }
        if (run.network.sent != sent) {
            throw run.violated("re-entry asks the server nothing", caller + " re-entered " + mine);
        }
        checkHold();
    }

    private void reenter(ReentrantDistributedLock locked, int how) throws InterruptedException {
        switch (how) {
            case 0 -> locked.lock();
            case 1 -> locked.lockInterruptibly();
            case 2 -> require(locked.tryLock());
            default -> require(locked.tryLock(ANY_TIME, TimeUnit.MILLISECONDS));
        }
    }

    private void require(boolean reentered) {
        if (!reentered) {
            throw run.violated("re-entry needs a lease that is HELD", caller + " was told that others hold it");
        }
    }

    /** With other options. */
    private void reenterOtherwise() {
        caller.note("re-enters with " + caller.otherOptions());
        ReentrantDistributedLock other = caller.client.driver.asLock(run.name(caller.name), caller.otherOptions());
        Throwable thrown = thrownBy(caller.index, other::lock);
        if (!(thrown instanceof InvalidArgumentException)) {
            throw run.violated("re-entry changes no options", caller + " re-entered: " + thrown);
        }
        checkHold();
    }

    /** A thread that has not locked. */
    private void unlockForAnother() {
        int other = (caller.index + 1) % THREADS;
        ReentrantDistributedLock locked = view;
        TrackedLease mine = caller.tracked;
        boolean owns = other < caller.client.callers.size()
                && caller.client.callers.get(other).holdCount() > 0;
        if (locked == null || mine == null || owns) {
            return;
        }
        caller.note("is unlocked by thread " + other);
        LeaseState before = mine.lease.state();
        Throwable thrown = thrownBy(other, locked::unlock);
        if (!(thrown instanceof IllegalMonitorStateException) || mine.lease.state() != before) {
            throw run.violated("only its thread unlocks", caller + " has " + mine.lease + " still: " + thrown);
        }
        checkHold();
    }

    private void checkHold() {
        ReentrantDistributedLock locked = view;
        if (locked == null) {
            return;
        }
        int count = as(caller.index, locked::getHoldCount);
        boolean held = as(caller.index, locked::isHeldByCurrentThread);
        if (count != holdCount || held != (holdCount > 0)) {
            throw run.violated(
                    "holds are counted", caller + " has locked " + holdCount + " times and holds " + count + " times");
        }
        Lease shown = as(caller.index, locked::lease).orElse(null);
        if (shown != (holdCount > 0 ? lease : null)) {
            throw run.violated("a thread sees its own lease", caller + " has " + lease + " and is shown " + shown);
        }
        if (shown != null && isAlive(shown.state()) && !caller.client.driver.holds(shown)) {
            throw run.violated("a thread's lease is the engine's", caller + " has " + shown);
        }
    }

    private <T> T as(int thread, Supplier<T> call) {
        return caller.client.driver.asThread(thread, call);
    }

    /** Null if it returns. Requests are answered at once. */
    private @Nullable Throwable thrownBy(int thread, LockCall call) {
        caller.client.backend.atOnce = true;
        try {
            return as(thread, () -> Optional.ofNullable(thrownBy(call))).orElse(null);
        } finally {
            caller.client.backend.atOnce = false;
        }
    }

    private static @Nullable Throwable thrownBy(LockCall call) {
        try {
            call.run();
            return null;
        } catch (Violation e) {
            throw e;
        } catch (RuntimeException | InterruptedException e) {
            return e;
        }
    }
}
