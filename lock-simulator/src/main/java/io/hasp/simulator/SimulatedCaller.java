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
final class SimulatedCaller {
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

    private final SimulationRun run;
    final SimulatedClient client;
    final int index;
    final SimulatedThread thread = new SimulatedThread();
    private final LeaseActions leaseActions;
    private final ReentrantLockActions lockActions;
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
    TrackedLease tracked;

    SimulatedCaller(SimulationRun run, SimulatedClient client, int index) {
        this.run = run;
        this.client = client;
        this.index = index;
        this.leaseActions = new LeaseActions(run, this);
        this.lockActions = new ReentrantLockActions(run, this);
    }

    void note(String what) {
        if (run.trace != null) {
            run.trace.line(run.now(), this + "", what);
        }
    }

    /** Looks at the lease whether the line is written or not: that is an event of its own. */
    void note(String what, Lease lease) {
        lease.state();
        if (run.trace != null) {
            note(what + lease);
        }
    }

    /** Whether its wait is over, and it has no outcome. */
    boolean isLate(int lock) {
        return phase == Phase.WAITING && name == lock && run.now() - joinedAt >= wait.toNanos();
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
        return tracked != null && tracked.granted.holder().equals(holder);
    }

    /** How often its thread has to unlock. */
    int holdCount() {
        return lockActions.holdCount();
    }

    /** Does something, or nothing. */
    boolean act() {
        ChoiceSequence choices = run.choices;
        return switch (phase) {
            case IDLE -> begin();
            case WAITING -> choices.oneIn(8) && giveUp();
            case HOLDING -> lockActions.holdCount() > 0 ? lockActions.use() : useLease();
            // Another thread releases what this one extends.
            case EXTENDING -> choices.oneIn(8) && leaseActions.release();
            case RELEASING -> tracked != null && choices.oneIn(4) && leaseActions.again(tracked);
            case RAISING_FLOOR -> false;
        };
    }

    boolean useLease() {
        return leaseActions.use();
    }

    private boolean begin() {
        if (lockActions.holdCount() > 0) {
            return lockActions.useAfterRelease();
        } else if (!thread.blocks() && run.choices.oneIn(40)) {
            raiseFloor();
        } else {
            join();
        }
        return true;
    }

    private void join() {
        ChoiceSequence choices = run.choices;
        name = choices.below(run.configuration.names());
        int how = choices.below(8);
        option = Math.max(0, choices.below(10) - 3);
        wait = how < 3 ? FOREVER : how < 5 ? Duration.ZERO : WAITS[choices.below(WAITS.length)];
        boolean blocking = choices.below(2) == 1 && !thread.blocks();
        boolean viewed = blocking && choices.below(3) == 1;
        continuation = choices.below(8);
        joinedAt = run.now();
        joinedAtStep = run.steps;
        moreRequests = 0;
        stepsMade = 0;
        cameTooLate = false;
        disturbed = client.disturbed(run.now());
        noteJoin(viewed ? "locks " : blocking ? "blocks for " : "asks for ");
        phase = Phase.WAITING;
        run.checks.waits.joins(this);
        if (viewed) {
            lockActions.lock();
        } else if (blocking) {
            block();
        } else {
            ask();
        }
    }

    private void noteJoin(String how) {
        if (run.trace != null) {
            note(how + run.name(name) + ", wait " + (wait.equals(FOREVER) ? "for ever" : wait)
                    + (option == 0 ? "" : ", " + options()));
        }
    }

    private void ask() {
        DistributedLock lock = client.driver.client().lock(run.name(name), options());
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
                    client.driver.acquire(run.name(name), options(), wait),
                    lease -> outcome(lease, null),
                    e -> outcome(Optional.empty(), e));
        } catch (ClientClosedException e) {
            outcome(Optional.empty(), e);
        }
    }

    /** Whether its thread can make a step now. */
    boolean ready() {
        return thread.ready() && thread.suspendedUntil <= run.now();
    }

    /** Its thread makes a step. */
    void step() {
        boolean waits = phase == Phase.WAITING && future == null;
        if (waits && stepsMade++ == 0) {
            joinedAt = run.now();
            cameTooLate = client.closing;
        }
        thread.step();
        if (!waits || phase != Phase.WAITING || !client.closing) {
            return;
        }
        if (!wait.isZero() && !thread.ready()) {
            throw run.violated("nobody waits for a client that closes", this + " does");
        }
        if (cameTooLate && stepsMade > 1) {
            throw run.violated("a client that closes takes nobody", this + " came to it and goes on");
        }
    }

    private void raiseFloor() {
        name = run.choices.below(run.configuration.names());
        TokenChecks tokens = run.checks.tokens;
        long token = tokens.floorAbove(name, 1 + run.choices.below(3));
        note("raises the floor of " + run.name(name) + " to " + token);
        int memory = tokens.memory();
        try {
            phase = Phase.RAISING_FLOOR;
            thread.begin(
                    client.driver.raiseTokenFloor(run.name(name), token),
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
            throw run.violated("failures are known", this + " failed with " + thrown);
        }
        if (thrown instanceof BackendUnavailableException) {
            run.checks.waits.unavailable(this, thrown);
        }
    }

    private boolean giveUp() {
        if (future != null) {
            note("cancels");
            future.cancel(false);
        } else if (thread.blocks() && !lockActions.keepsInterrupts()) {
            run.checks.waits.leaves(this);
            note("is interrupted");
            phase = Phase.IDLE;
            thread.interrupt();
        }
        return true;
    }

    private void ended(CompletableFuture<?> one, Optional<Lease> lease, @Nullable Throwable thrown) {
        if (phase != Phase.WAITING || (future != null && future != one)) {
            throw run.violated("one outcome", this + " had an outcome before: " + lease + ", " + thrown);
        }
        future = null;
        outcome(lease, thrown);
        if (continuation == 1 && phase == Phase.HOLDING && tracked != null) {
            leaseActions.release();
        } else if (continuation == 2) {
            throw new UserCodeException();
        }
    }

    /** Its wait is over. */
    void outcome(Optional<Lease> lease, @Nullable Throwable thrown) {
        phase = Phase.IDLE;
        if (lease.isPresent()) {
            note("has ", lease.get());
            phase = Phase.HOLDING;
            tracked = run.checks.leases.given(this, lease.get());
        } else if (thrown == null) {
            note("goes without: others hold it");
            run.checks.waits.empty(this);
        } else {
            failed(thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown);
        }
        if (cameTooLate && !(thrown instanceof ClientClosedException)) {
            throw run.violated("a client that closes takes nobody", this + " came to it: " + lease + ", " + thrown);
        }
        if (!(thrown instanceof CancellationException)) {
            run.checks.waits.inTime(this);
        }
    }

    private void failed(Throwable cause) {
        if (run.trace != null) {
            note("fails: " + cause);
        }
        if (cause instanceof CancellationException) {
            run.checks.waits.leaves(this);
        } else if (cause instanceof BackendUnavailableException outage) {
            run.checks.waits.failed(this, outage);
        }
        boolean known = cause instanceof BackendUnavailableException
                || cause instanceof CancellationException
                || (cause instanceof ClientClosedException && client.closing);
        if (!known) {
            throw run.violated("failures are known", this + " failed with " + cause);
        }
    }

    /** Gives back what it has, and undoes each lock of its thread. */
    void release() {
        if (lockActions.holdCount() > 0) {
            lockActions.unlockAll();
        } else if (phase == Phase.HOLDING) {
            leaseActions.release();
        }
    }

    long state() {
        long asks = phase != Phase.WAITING
                ? 0
                : (wait.equals(FOREVER) ? 1 : wait.isZero() ? 2 : 3) + (thread.blocks() ? 4 : 0);
        long lock = phase == Phase.IDLE ? 0 : 1 + option * 4L + name;
        return ((phase.name().hashCode() * 8L + asks) * 64 + lock) * 4 + Math.min(3, lockActions.holdCount());
    }

    @Override
    public String toString() {
        return "c" + client.index + "." + index;
    }
}
