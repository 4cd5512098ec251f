package io.hasp.simulator;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientClosedException;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockOptions;
import io.hasp.spi.HolderId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One user of a client: a thread that waits, or one who has a future. Takes locks, keeps them for a while, gives them back. */
final class Caller {
    /** What a user's code throws where it must not matter. */
    static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Thrown() {
            super("thrown by the user's code", null, false, false);
        }
    }

    static final Duration FOREVER = Duration.ofDays(36_000);
    private static final Duration[] WAITS = {
        Duration.ofNanos(1),
        Duration.ofMillis(50),
        Duration.ofMillis(700),
        Duration.ofSeconds(3),
        Duration.ofSeconds(12)
    };
    private static final LockOptions[] OPTIONS = {
        LockOptions.defaults(),
        LockOptions.defaults().fixedLease(Duration.ofSeconds(2)),
        LockOptions.defaults().maxHold(Duration.ofSeconds(4)),
        LockOptions.defaults().renewedLease(Duration.ofSeconds(4)),
        LockOptions.defaults().fixedLease(Duration.ofMillis(400)),
        LockOptions.defaults().renewedLease(Duration.ofSeconds(7)).maxHold(Duration.ofSeconds(2)),
        LockOptions.defaults().fixedLease(Duration.ofSeconds(4)).maxHold(Duration.ofSeconds(3))
    };

    /** What it does. */
    enum Phase {
        IDLE,
        WAITING,
        HOLDING,
        EXTENDING,
        RELEASING,
        RAISING_FLOOR
    }

    private final World world;
    final SimulatedClient client;
    final int index;
    final CallingThread thread = new CallingThread();
    private final LeaseCalls leaseCalls;
    private final ViewCalls viewCalls;
    Phase phase = Phase.IDLE;
    int name;
    private int option;
    long joinedAt;
    long joinedAtStep;
    Duration wait = Duration.ZERO;
    boolean disturbed;
    /** After the end of its wait: how many more requests its outcome has come to depend on. */
    int moreRequests;
    /** How many steps its blocking call has made, and whether the client closed before the first of them. */
    private int stepsMade;

    private boolean cameTooLate;

    /** What a continuation of its future does: 1 releases at once, 2 throws. */
    private int continuation;

    private @Nullable CompletableFuture<?> future;

    @Nullable
    Belief belief;

    Caller(World world, SimulatedClient client, int index) {
        this.world = world;
        this.client = client;
        this.index = index;
        this.leaseCalls = new LeaseCalls(world, this);
        this.viewCalls = new ViewCalls(world, this);
    }

    void note(String what) {
        if (world.trace != null) {
            world.trace.line(world.now(), this + "", what);
        }
    }

    /** Looks at the lease whether the line is written or not: that is an event of its own. */
    void note(String what, Lease lease) {
        lease.state();
        if (world.trace != null) {
            note(what + lease);
        }
    }

    /** Whether its wait is over, and it has no outcome. */
    boolean isLate(int lock) {
        return phase == Phase.WAITING && name == lock && world.now() - joinedAt >= wait.toNanos();
    }

    LockOptions options() {
        return OPTIONS[option];
    }

    /** Whether its lease is renewed for as long as it is held. */
    boolean renews() {
        return options().fixedLease().isEmpty() && options().maxHold().isEmpty();
    }

    LockOptions otherOptions() {
        return OPTIONS[(option + 1) % OPTIONS.length];
    }

    /** Whether its lease stands on the grant of that holder. */
    boolean has(HolderId holder) {
        return belief != null && belief.granted.grant.claim().holder().equals(holder);
    }

    /** How often its thread has to unlock. */
    int holdCount() {
        return viewCalls.holdCount();
    }

    /** Does something, or nothing. */
    boolean act() {
        Choices choices = world.choices;
        return switch (phase) {
            case IDLE -> begin();
            case WAITING -> choices.oneIn(8) && giveUp();
            case HOLDING -> viewCalls.holdCount() > 0 ? viewCalls.use() : useLease();
            // Another thread releases what this one extends.
            case EXTENDING -> choices.oneIn(8) && leaseCalls.release();
            case RELEASING -> belief != null && choices.oneIn(4) && leaseCalls.again(belief);
            case RAISING_FLOOR -> false;
        };
    }

    boolean useLease() {
        return leaseCalls.use();
    }

    private boolean begin() {
        if (viewCalls.holdCount() > 0) {
            return viewCalls.useAfterRelease();
        } else if (!thread.blocks() && world.choices.oneIn(40)) {
            raiseFloor();
        } else {
            join();
        }
        return true;
    }

    private void join() {
        Choices choices = world.choices;
        name = choices.below(world.configuration.names());
        int how = choices.below(8);
        option = Math.max(0, choices.below(10) - 3);
        wait = how < 3 ? FOREVER : how < 5 ? Duration.ZERO : WAITS[choices.below(WAITS.length)];
        boolean blocking = choices.below(2) == 1 && !thread.blocks();
        boolean viewed = blocking && choices.below(3) == 1;
        continuation = choices.below(8);
        joinedAt = world.now();
        joinedAtStep = world.steps;
        moreRequests = 0;
        stepsMade = 0;
        cameTooLate = false;
        disturbed = client.disturbed(world.now());
        noteJoin(viewed ? "locks " : blocking ? "blocks for " : "asks for ");
        phase = Phase.WAITING;
        world.checks.waits.joins(this);
        if (viewed) {
            viewCalls.lock();
        } else if (blocking) {
            block();
        } else {
            ask();
        }
    }

    private void noteJoin(String how) {
        if (world.trace != null) {
            note(how + world.name(name) + ", wait " + (wait.equals(FOREVER) ? "for ever" : wait)
                    + (option == 0 ? "" : ", " + options()));
        }
    }

    private void ask() {
        DistributedLock lock = client.driver.client().lock(world.name(name), options());
        CompletableFuture<?> asked;
        if (wait.equals(FOREVER)) {
            CompletableFuture<Lease> one = lock.acquireAsync();
            asked = one;
            one.whenComplete((lease, thrown) -> ended(one, Optional.ofNullable(lease), thrown));
        } else {
            CompletableFuture<Optional<Lease>> one = lock.tryAcquireAsync(wait);
            asked = one;
            one.whenComplete((lease, thrown) -> ended(one, lease == null ? Optional.empty() : lease, thrown));
        }
        if (phase == Phase.WAITING) {
            future = asked;
        }
    }

    private void block() {
        try {
            thread.begin(
                    client.driver.acquire(world.name(name), options(), wait),
                    lease -> outcome(lease, null),
                    e -> outcome(Optional.empty(), e));
        } catch (ClientClosedException e) {
            outcome(Optional.empty(), e);
        }
    }

    /** Whether its thread can make a step now. */
    boolean ready() {
        return thread.ready() && thread.suspendedUntil <= world.now();
    }

    /** Its thread makes a step. */
    void step() {
        boolean waits = phase == Phase.WAITING && future == null;
        if (waits && stepsMade++ == 0) {
            joinedAt = world.now();
            cameTooLate = client.closing;
        }
        thread.step();
        if (!waits || phase != Phase.WAITING || !client.closing) {
            return;
        }
        if (!wait.isZero() && !thread.ready()) {
            throw world.violated("nobody waits for a client that closes", this + " does");
        }
        if (cameTooLate && stepsMade > 1) {
            throw world.violated("a client that closes takes nobody", this + " came to it and goes on");
        }
    }

    private void raiseFloor() {
        name = world.choices.below(world.configuration.names());
        TokenChecks tokens = world.checks.tokens;
        long token = tokens.floorAbove(name, 1 + world.choices.below(3));
        note("raises the floor of " + world.name(name) + " to " + token);
        int memory = tokens.memory();
        try {
            phase = Phase.RAISING_FLOOR;
            thread.begin(
                    client.driver.raiseTokenFloor(world.name(name), token),
                    done -> {
                        phase = Phase.IDLE;
                        note("raised");
                        tokens.floorRaised(client.index, name, token, memory);
                    },
                    this::notRaised);
        } catch (ClientClosedException e) {
            notRaised(e);
        }
    }

    private void notRaised(RuntimeException why) {
        phase = Phase.IDLE;
        expected(why, why instanceof BackendUnavailableException || why instanceof ClientClosedException);
        note("not raised: " + why.getMessage());
    }

    void expected(RuntimeException thrown, boolean known) {
        if (!known) {
            throw world.violated("failures are known", this + " failed with " + thrown);
        }
        if (thrown instanceof BackendUnavailableException) {
            world.checks.waits.unavailable(this, thrown);
        }
    }

    private boolean giveUp() {
        if (future != null) {
            note("cancels");
            future.cancel(false);
        } else if (thread.blocks() && !viewCalls.keepsInterrupts()) {
            world.checks.waits.leaves(this);
            note("is interrupted");
            phase = Phase.IDLE;
            thread.interrupt();
        }
        return true;
    }

    private void ended(CompletableFuture<?> one, Optional<Lease> lease, @Nullable Throwable thrown) {
        if (phase != Phase.WAITING || (future != null && future != one)) {
            throw world.violated("one outcome", this + " had an outcome before: " + lease + ", " + thrown);
        }
        future = null;
        outcome(lease, thrown);
        if (continuation == 1 && phase == Phase.HOLDING && belief != null) {
            leaseCalls.release();
        } else if (continuation == 2) {
            throw new Thrown();
        }
    }

    /** Its wait is over. */
    void outcome(Optional<Lease> lease, @Nullable Throwable thrown) {
        phase = Phase.IDLE;
        if (lease.isPresent()) {
            note("has ", lease.get());
            phase = Phase.HOLDING;
            belief = world.checks.leases.given(this, lease.get());
        } else if (thrown == null) {
            note("goes without: others hold it");
            world.checks.waits.empty(this);
        } else {
            failed(thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown);
        }
        if (cameTooLate && !(thrown instanceof ClientClosedException)) {
            throw world.violated("a client that closes takes nobody", this + " came to it: " + lease + ", " + thrown);
        }
        if (!(thrown instanceof CancellationException)) {
            world.checks.waits.inTime(this);
        }
    }

    private void failed(Throwable cause) {
        if (world.trace != null) {
            note("fails: " + cause);
        }
        if (cause instanceof CancellationException) {
            world.checks.waits.leaves(this);
        } else if (cause instanceof BackendUnavailableException outage) {
            world.checks.waits.failed(this, outage);
        }
        boolean known = cause instanceof BackendUnavailableException
                || cause instanceof CancellationException
                || (cause instanceof ClientClosedException && client.closing);
        if (!known) {
            throw world.violated("failures are known", this + " failed with " + cause);
        }
    }

    /** Gives back what it has, and undoes each lock of its thread. */
    void release() {
        if (viewCalls.holdCount() > 0) {
            viewCalls.unlockAll();
        } else if (phase == Phase.HOLDING) {
            leaseCalls.release();
        }
    }

    long state() {
        long asks = phase != Phase.WAITING
                ? 0
                : (wait.equals(FOREVER) ? 1 : wait.isZero() ? 2 : 3) + (thread.blocks() ? 4 : 0);
        long lock = phase == Phase.IDLE ? 0 : 1 + option * 4L + name;
        return ((phase.name().hashCode() * 8L + asks) * 64 + lock) * 4 + Math.min(3, viewCalls.holdCount());
    }

    @Override
    public String toString() {
        return "c" + client.index + "." + index;
    }
}
