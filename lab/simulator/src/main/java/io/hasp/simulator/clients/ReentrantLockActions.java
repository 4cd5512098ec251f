package io.hasp.simulator.clients;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.ReentrantDistributedLock;
import io.hasp.ReleaseResult;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.world.World;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a caller's thread on a {@link ReentrantDistributedLock}. It locks, re-enters and unlocks, also once too often; a
 * thread that has not locked unlocks, too. Each call is followed by a check of the thread's hold.
 */
final class ReentrantLockActions {
    /** As many callers as a client has at most. */
    private static final int THREADS = 4;

    private static final long ANY_TIME = 50;

    private final World world;
    private final ClientMonitor monitor;
    private final Network network;
    private final SimulatedCaller caller;
    private final ReentrantHold hold;
    private boolean keepsInterrupts;

    ReentrantLockActions(SimulatedCaller caller) {
        this.world = caller.client.world;
        this.monitor = caller.client.monitor;
        this.network = caller.client.network;
        this.caller = caller;
        this.hold = new ReentrantHold(caller);
    }

    int holdCount() {
        return hold.count;
    }

    /** True if the thread waits in a call that defers interrupts. */
    boolean keepsInterrupts() {
        return keepsInterrupts;
    }

    /** The first lock of the thread, in steps. A {@code tryLock} without a wait may be made at once instead. */
    void lock() {
        ReentrantDistributedLock begun =
                caller.client.driver.asReentrantLock(world.name(caller.name), caller.options());
        hold.lock = begun;
        boolean interruptible = world.choices.below(2) == 0;
        try {
            // Of a lock that may be kept, or that this client gives back, a try may take several requests.
            boolean oneRequest = !world.configuration.keeps() && caller.client.driver.answered();
            if (caller.wait.isZero() && interruptible && oneRequest) {
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
        Throwable thrown = hold.thrownBy(() -> locked[0] = begun.tryLock());
        ended(begun, locked[0], thrown);
    }

    private void ended(ReentrantDistributedLock begun, boolean locked, @Nullable Throwable thrown) {
        keepsInterrupts = false;
        hold.count = locked ? 1 : 0;
        Optional<Lease> mine = hold.shownLease(begun);
        hold.lease = mine.orElse(null);
        caller.acquireActions.ended(mine, thrown);
        hold.check();
    }

    /** A call of a thread that has locked, and whose lease was not released directly. */
    boolean use() {
        switch (world.choices.below(9)) {
            case 3, 4 -> reenter();
            case 5 -> reenterWithOtherOptions();
            case 6 -> unlockByAnotherThread();
            case 7, 8 -> {
                return caller.leaseActions.use();
            }
            default -> unlock();
        }
        return true;
    }

    /** A call of a thread whose lease was released directly. Each unlock that is left must say so. */
    boolean useAfterRelease() {
        if (caller.thread.blocks()) {
            return false;
        }
        if (world.choices.oneIn(3)) {
            reenter();
        } else {
            unlockReleased();
        }
        return true;
    }

    void unlockAll() {
        while (hold.count > 0 && !caller.thread.blocks()) {
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
        ReentrantDistributedLock locked = hold.lock;
        if (mine == null || locked == null) {
            return;
        }
        caller.note("unlocks ", mine.lease);
        LeaseState before = mine.lease.state();
        boolean last = --hold.count == 0;
        if (last) {
            caller.phase = SimulatedCaller.Phase.RELEASING;
            monitor.held(caller.client.index, caller.name);
        }
        Throwable thrown = hold.thrownBy(locked::unlock);
        caller.note("unlocked: " + (thrown == null ? "RELEASED" : thrown));
        hold.check();
        if (last) {
            hold.lease = null;
            ended(mine, before, thrown);
        } else if (ReentrantHold.isActive(before) ? thrown != null : !isLoss(thrown, before)) {
            throw world.violated("a loss is told at unlock", caller + " unlocked " + mine.lease + ": " + thrown);
        }
    }

    /** The last unlock has the same outcome as a release of the lease. */
    private void ended(TrackedLease mine, LeaseState before, @Nullable Throwable thrown) {
        caller.phase = SimulatedCaller.Phase.IDLE;
        caller.tracked = null;
        boolean failed = thrown instanceof BackendException || thrown instanceof ClientClosedException;
        if (thrown != null && !failed && !isLoss(thrown, before)) {
            throw world.violated("failures are known", caller + " failed to unlock " + mine.lease + ": " + thrown);
        }
        if (before == LeaseState.RELEASED && thrown == null) {
            throw world.violated("a loss is told at unlock", caller + " unlocked " + mine.lease + " as if it had it");
        }
        ReleaseResult result = failed
                ? null
                : thrown == null
                        ? ReleaseResult.RELEASED
                        : before == LeaseState.RELEASED ? ReleaseResult.ALREADY_RELEASED : ReleaseResult.LOST;
        monitor.released(mine, before, result, failed ? thrown : null);
    }

    /** True if the exception gives the reason for the end of the lease: it was lost, or the client was closed. */
    private static boolean isLoss(@Nullable Throwable thrown, LeaseState before) {
        return thrown instanceof IllegalMonitorStateException
                && (thrown.getCause() instanceof LeaseLostException
                        || (before == LeaseState.RELEASED && thrown.getCause() instanceof ClientClosedException));
    }

    private void unlockReleased() {
        ReentrantDistributedLock locked = hold.lock;
        if (locked != null) {
            caller.note("unlocks what was released");
            hold.count--;
            Throwable thrown = hold.thrownBy(locked::unlock);
            hold.check();
            boolean failed = caller.client.broken && thrown instanceof ClientClosedException;
            if (!(failed || thrown instanceof IllegalMonitorStateException)) {
                throw world.violated("a loss is told at unlock", caller + " unlocked a released lease: " + thrown);
            }
        }
    }

    private void reenter() {
        Lease mine = hold.lease;
        ReentrantDistributedLock locked = hold.lock;
        if (mine == null || locked == null) {
            return;
        }
        caller.note("re-enters ", mine);
        LeaseState before = mine.state();
        long sent = network.sent;
        int how = world.choices.below(4);
        Throwable thrown = hold.thrownBy(() -> reenter(locked, how));
        hold.count += before == LeaseState.HELD ? 1 : 0;
        boolean refused = thrown instanceof IllegalMonitorStateException
                && (before != LeaseState.LOST || thrown.getCause() instanceof LeaseLostException);
        if (before == LeaseState.HELD ? thrown != null : !refused) {
            throw world.violated(
                    "re-entry needs a lease that is HELD",
                    caller + " re-entered " + mine + ", " + before + ": " + thrown);
        }
        if (network.sent != sent) {
            throw world.violated("re-entry asks the server nothing", caller + " re-entered " + mine);
        }
        hold.check();
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
            throw world.violated("re-entry needs a lease that is HELD", caller + " was told that others hold it");
        }
    }

    private void reenterWithOtherOptions() {
        caller.note("re-enters with " + caller.otherOptions());
        ReentrantDistributedLock other =
                caller.client.driver.asReentrantLock(world.name(caller.name), caller.otherOptions());
        Throwable thrown = hold.thrownBy(other::lock);
        if (!(thrown instanceof InvalidArgumentException)) {
            throw world.violated("re-entry changes no options", caller + " re-entered: " + thrown);
        }
        hold.check();
    }

    private void unlockByAnotherThread() {
        int other = (caller.index + 1) % THREADS;
        ReentrantDistributedLock locked = hold.lock;
        TrackedLease mine = caller.tracked;
        boolean owns = other < caller.client.callers.size()
                && caller.client.callers.get(other).holdCount() > 0;
        if (locked == null || mine == null || owns) {
            return;
        }
        caller.note("is unlocked by thread " + other);
        LeaseState before = mine.lease.state();
        Throwable thrown = hold.thrownBy(other, locked::unlock);
        if (!(thrown instanceof IllegalMonitorStateException) || mine.lease.state() != before) {
            throw world.violated("only its thread unlocks", caller + " has " + mine.lease + " still: " + thrown);
        }
        hold.check();
    }
}
