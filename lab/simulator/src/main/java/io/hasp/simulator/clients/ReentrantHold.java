package io.hasp.simulator.clients;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.ReentrantDistributedLock;
import io.hasp.simulator.world.Violation;
import io.hasp.simulator.world.World;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The hold of one caller's thread through a {@link ReentrantDistributedLock}, and the check that the lock shows the same. */
final class ReentrantHold {
    /** A call that does not wait for the server, or whose requests are answered at once. */
    interface LockCall {
        void run() throws InterruptedException;
    }

    private final World world;
    private final SimulatedCaller caller;

    @Nullable
    ReentrantDistributedLock lock;

    @Nullable
    Lease lease;

    int count;

    ReentrantHold(SimulatedCaller caller) {
        this.world = caller.client.world;
        this.caller = caller;
    }

    /** Compares the hold count and the lease of the thread with what the lock shows. */
    void check() {
        ReentrantDistributedLock locked = lock;
        if (locked == null) {
            return;
        }
        int shownCount = as(caller.index, locked::getHoldCount);
        boolean shownHeld = as(caller.index, locked::isHeldByCurrentThread);
        if (shownCount != count || shownHeld != (count > 0)) {
            throw world.violated(
                    "holds are counted", caller + " has locked " + count + " times and holds " + shownCount + " times");
        }
        Lease shown = shownLease(locked).orElse(null);
        if (shown != (count > 0 ? lease : null)) {
            throw world.violated("a thread sees its own lease", caller + " has " + lease + " and is shown " + shown);
        }
        if (shown != null && isActive(shown.state()) && !caller.client.driver.holds(shown)) {
            throw world.violated("a thread's lease is the engine's", caller + " has " + shown);
        }
    }

    /** The lease that the lock shows to the thread. */
    Optional<Lease> shownLease(ReentrantDistributedLock locked) {
        return as(caller.index, locked::lease);
    }

    static boolean isActive(LeaseState state) {
        return state == LeaseState.HELD || state == LeaseState.SUSPECT;
    }

    /** Makes a call on the caller's thread. Returns what it throws; null if it returns. */
    @Nullable
    Throwable thrownBy(LockCall call) {
        return thrownBy(caller.index, call);
    }

    /** The same on another thread of the client. */
    @Nullable
    Throwable thrownBy(int thread, LockCall call) {
        caller.client.backend.atOnce = true;
        try {
            return as(thread, () -> Optional.ofNullable(caught(call))).orElse(null);
        } finally {
            caller.client.backend.atOnce = false;
        }
    }

    private static @Nullable Throwable caught(LockCall call) {
        try {
            call.run();
            return null;
        } catch (Violation e) {
            throw e;
        } catch (RuntimeException | InterruptedException e) {
            return e;
        }
    }

    private <T> T as(int thread, Supplier<T> call) {
        return caller.client.driver.asThread(thread, call);
    }
}
