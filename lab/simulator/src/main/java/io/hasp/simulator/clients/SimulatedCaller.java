package io.hasp.simulator.clients;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.Lease;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.World;
import io.hasp.spi.Share;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One user of a client, with a thread of its own or with futures. It takes locks, holds them for a while and releases them. */
public final class SimulatedCaller {
    public static final Duration FOREVER = Duration.ofDays(36_000);
    private static final LockOptions[] OPTIONS = {
        LockOptions.defaults(),
        LockOptions.defaults().fixedLease(Duration.ofSeconds(2)),
        LockOptions.defaults().maxHold(Duration.ofSeconds(4)),
        LockOptions.defaults().renewedLease(Duration.ofSeconds(4)),
        LockOptions.defaults().fixedLease(Duration.ofMillis(400)),
        LockOptions.defaults().renewedLease(Duration.ofSeconds(7)).maxHold(Duration.ofSeconds(2)),
        LockOptions.defaults().fixedLease(Duration.ofSeconds(4)).maxHold(Duration.ofSeconds(3))
    };

    /** In the place of others, where the server can leave a lock taken. */
    private static final LockOptions[] RETAINED = {
        LockOptions.defaults().takenAtLeast(Duration.ofSeconds(3)),
        LockOptions.defaults().takenAtLeast(Duration.ofSeconds(6)).maxHold(Duration.ofSeconds(2))
    };

    /** The present activity of the caller. */
    public enum Phase {
        IDLE,
        WAITING,
        HOLDING,
        EXTENDING,
        RELEASING,
        RAISING_FLOOR
    }

    public final SimulatedClient client;
    final int index;
    public final SimulatedThread thread = new SimulatedThread();
    private final World world;
    private final SimulatedThreads threads;
    private final ClientMonitor monitor;
    final AcquireActions acquireActions;
    final LeaseActions leaseActions;
    final ReentrantLockActions lockActions;
    public Phase phase = Phase.IDLE;
    /** The lock that the caller wants, waits for or holds. */
    public int name;

    /** The part of the lock. */
    public Share share = Share.EXCLUSIVE;

    private int option;
    public long joinedAt;
    public long joinedAtStep;
    public Duration wait = Duration.ZERO;
    public boolean disturbed;
    /** True if its client had the lock, or assumed so, when the wait began. */
    public boolean heldByClient;
    /** Another caller of its client has waited for the lock since then, or held it. */
    public boolean inCompany;
    /** The number of further requests on which the outcome has come to depend after the end of the wait. */
    public int moreRequests;
    /** One of them is for a refusal that came after the end of the wait. */
    public boolean refusedLate;

    @Nullable
    public TrackedLease tracked;

    SimulatedCaller(SimulatedClient client, int index) {
        this.client = client;
        this.world = client.world;
        this.threads = client.threads;
        this.monitor = client.monitor;
        this.index = index;
        this.acquireActions = new AcquireActions(this);
        this.leaseActions = new LeaseActions(this);
        this.lockActions = new ReentrantLockActions(this);
    }

    SimulatedThreads threads() {
        return threads;
    }

    void note(String what) {
        if (world.trace != null) {
            world.trace.line(world.now(), this + "", what);
        }
    }

    /** Reads the state of the lease with or without a trace: that is an event for the engine. */
    void note(String what, Lease lease) {
        lease.state();
        if (world.trace != null) {
            note(what + lease);
        }
    }

    /** A wait begins now. */
    void joins() {
        joinedAt = world.now();
        joinedAtStep = world.steps();
        moreRequests = 0;
        refusedLate = false;
        disturbed = client.disturbed(world.now());
    }

    /** True if the wait for that lock has ended, and the caller has no outcome yet. */
    public boolean isLate(int lock) {
        return phase == Phase.WAITING && name == lock && world.now() - joinedAt >= wait.toNanos();
    }

    /** True if its thread was interrupted and is still in its call; by then the caller may request another lock with a future. */
    public boolean leavesFormerCall() {
        return thread.blocks() && (phase == Phase.IDLE || acquireActions.asksWithFuture());
    }

    void chooseOptions() {
        option = Math.max(0, world.choices.below(10) - (world.configuration.alike() ? 8 : 3));
    }

    boolean hasDefaultOptions() {
        return option == 0;
    }

    public LockOptions options() {
        return world.configuration.interrupts() ? held().onLoss(OnLoss.INTERRUPT) : held();
    }

    private LockOptions held() {
        if (world.configuration.retains() && option > 1 && option < 6 && share.isExclusive()) {
            return RETAINED[option % 2];
        }
        return OPTIONS[option];
    }

    LockOptions otherOptions() {
        return OPTIONS[(option + 1) % OPTIONS.length];
    }

    /** The number of unlocks that the thread owes. */
    public int holdCount() {
        return lockActions.holdCount();
    }

    /** Makes one call that fits the phase; false if there is none to make. */
    public boolean act() {
        ChoiceSequence choices = world.choices;
        return switch (phase) {
            case IDLE -> begin();
            // Often before a request that it is about to make.
            case WAITING -> choices.oneIn(thread.ready() ? 3 : 8) && acquireActions.giveUp();
            case HOLDING -> holdCount() > 0 ? lockActions.use() : leaseActions.use();
            // Another thread releases the lease that this one extends.
            case EXTENDING -> choices.oneIn(8) && leaseActions.release();
            case RELEASING -> tracked != null && choices.oneIn(4) && leaseActions.again(tracked);
            case RAISING_FLOOR -> false;
        };
    }

    private boolean begin() {
        if (holdCount() > 0) {
            return lockActions.useAfterRelease();
        } else if (!thread.blocks() && world.choices.oneIn(40)) {
            raiseFloor();
        } else {
            acquireActions.begin();
        }
        return true;
    }

    /** True if its thread was suspended in the midst of a step. */
    public boolean isSuspended() {
        return threads.suspended(this) > 0;
    }

    /** True if the thread can make a step now. */
    public boolean ready() {
        return !isSuspended() && thread.ready() && thread.suspendedUntil <= world.now();
    }

    /** The thread makes a step. */
    public void step() {
        acquireActions.step();
    }

    private void raiseFloor() {
        name = world.choices.below(world.configuration.names());
        long token = monitor.floorAbove(name, 1 + world.choices.below(3));
        note("raises the floor of " + world.name(name) + " to " + token);
        int memory = monitor.serverMemory();
        try {
            phase = Phase.RAISING_FLOOR;
            thread.begin(
                    client.driver.raiseTokenFloor(world.name(name), token),
                    done -> {
                        phase = Phase.IDLE;
                        note("raised");
                        monitor.floorRaised(client.index, name, token, memory);
                    },
                    this::notRaised);
        } catch (ClientClosedException e) {
            notRaised(e);
        }
    }

    private void notRaised(RuntimeException why) {
        phase = Phase.IDLE;
        expected(why, why instanceof BackendException || why instanceof ClientClosedException);
        note("not raised: " + why.getMessage());
    }

    /** A call of the thread has failed; a failure of an unknown kind is a violation. */
    void expected(RuntimeException thrown, boolean known) {
        if (!known) {
            throw world.violated("failures are known", this + " failed with " + thrown);
        }
        if (thrown instanceof BackendException) {
            monitor.unavailable(this, thrown);
        }
    }

    /** Releases the lease, or makes each unlock that the thread owes. */
    public void release() {
        if (holdCount() > 0) {
            lockActions.unlockAll();
        } else if (phase == Phase.HOLDING) {
            leaseActions.release();
        }
    }

    /** A hash of what the caller does, without moments. */
    long state() {
        long asks = phase != Phase.WAITING
                ? 0
                : (wait.equals(FOREVER) ? 1 : wait.isZero() ? 2 : 3) + (thread.blocks() ? 4 : 0);
        long lock = phase == Phase.IDLE ? 0 : 1 + option * 4L + name + 64L * Math.min(3, share.weight() - 1);
        return ((phase.name().hashCode() * 8L + asks) * 256 + lock) * 4 + Math.min(3, holdCount());
    }

    @Override
    public String toString() {
        return "c" + client.index + "." + index;
    }
}
