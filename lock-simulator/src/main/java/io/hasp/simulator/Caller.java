package io.hasp.simulator;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientClosedException;
import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import io.hasp.spi.HolderId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
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

    private static final Duration FOREVER = Duration.ofDays(36_000);
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
    private static final Duration EXTENSION = Duration.ofSeconds(3);

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
    private final int index;
    Phase phase = Phase.IDLE;
    int name;
    private int option;
    long joinedAt;
    long joinedAtStep;
    Duration wait = Duration.ZERO;
    boolean disturbed;
    /** How many others of this client gave up the same lock meanwhile, or failed to get it. */
    int left;

    /** What a continuation of its future does: 1 releases at once, 2 throws. */
    private int continuation;

    private @Nullable CompletableFuture<?> future;

    final CallingThread thread = new CallingThread();

    @Nullable
    Belief belief;

    Caller(World world, SimulatedClient client, int index) {
        this.world = world;
        this.client = client;
        this.index = index;
    }

    void note(String what) {
        if (world.trace != null) {
            world.trace.line(world.now(), this + "", what);
        }
    }

    /** Looks at the lease whether the line is written or not: that is an event of its own. */
    private void note(String what, Lease lease) {
        lease.state();
        if (world.trace != null) {
            note(what + lease);
        }
    }

    /** Does something, or nothing. */
    boolean act() {
        Choices choices = world.choices;
        switch (phase) {
            case IDLE -> {
                if (!thread.blocks() && choices.oneIn(40)) {
                    raiseFloor();
                } else {
                    join();
                }
            }
            case WAITING -> {
                if (!choices.oneIn(8)) {
                    return false;
                }
                giveUp();
            }
            case HOLDING -> use(choices.below(8));
            case EXTENDING -> {
                // Another thread releases what this one extends.
                if (!choices.oneIn(8)) {
                    return false;
                }
                release();
            }
            case RELEASING -> {
                if (belief == null || !choices.oneIn(4)) {
                    return false;
                }
                again(belief);
            }
            case RAISING_FLOOR -> {
                return false;
            }
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
        continuation = choices.below(8);
        joinedAt = world.now();
        joinedAtStep = world.steps;
        left = 0;
        disturbed = client.disturbed(world.now());
        noteJoin(blocking);
        phase = Phase.WAITING;
        world.checks.joins(this);
        if (blocking) {
            block();
        } else {
            ask();
        }
    }

    private void noteJoin(boolean blocking) {
        if (world.trace != null) {
            note((blocking ? "blocks for " : "asks for ") + world.name(name) + ", wait "
                    + (wait.equals(FOREVER) ? "for ever" : wait) + (option == 0 ? "" : ", " + OPTIONS[option]));
        }
    }

    private void ask() {
        DistributedLock lock = client.driver.client().lock(world.name(name), OPTIONS[option]);
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
                    client.driver.acquire(world.name(name), OPTIONS[option], wait),
                    lease -> outcome(lease, null),
                    e -> outcome(Optional.empty(), e));
        } catch (ClientClosedException e) {
            outcome(Optional.empty(), e);
        }
    }

    /** Whether its lease stands on the grant of that holder. */
    boolean has(HolderId holder) {
        return belief != null && belief.granted.grant.claim().holder().equals(holder);
    }

    /** Its thread makes a step. */
    void step() {
        thread.step();
        if (client.closing && phase == Phase.WAITING && future == null && !wait.isZero() && !thread.ready()) {
            throw world.violated("nobody waits for a client that closes", this + " does");
        }
    }

    private void raiseFloor() {
        name = world.choices.below(world.configuration.names());
        long token = world.checks.floorAbove(name, 1 + world.choices.below(3));
        note("raises the floor of " + world.name(name) + " to " + token);
        int memory = world.checks.memory();
        try {
            phase = Phase.RAISING_FLOOR;
            thread.begin(
                    client.driver.raiseTokenFloor(world.name(name), token),
                    done -> {
                        phase = Phase.IDLE;
                        note("raised");
                        world.checks.floorRaised(client.index, name, token, memory);
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

    private void expected(RuntimeException thrown, boolean known) {
        if (!known) {
            throw world.violated("failures are known", this + " failed with " + thrown);
        }
        if (thrown instanceof BackendUnavailableException) {
            world.checks.unavailable(this, thrown);
        }
    }

    private void leaves() {
        for (Caller other : client.callers) {
            other.left += other != this && other.name == name ? 1 : 0;
        }
    }

    private void giveUp() {
        leaves();
        if (future != null) {
            note("cancels");
            future.cancel(false);
        } else if (thread.blocks()) {
            note("is interrupted");
            phase = Phase.IDLE;
            thread.interrupt();
        }
    }

    private void ended(CompletableFuture<?> one, Optional<Lease> lease, @Nullable Throwable thrown) {
        if (phase != Phase.WAITING || (future != null && future != one)) {
            throw world.violated("one outcome", this + " had an outcome before: " + lease + ", " + thrown);
        }
        future = null;
        outcome(lease, thrown);
        if (continuation == 1 && phase == Phase.HOLDING && belief != null) {
            release(belief);
        } else if (continuation == 2) {
            throw new Thrown();
        }
    }

    private void outcome(Optional<Lease> lease, @Nullable Throwable thrown) {
        phase = Phase.IDLE;
        if (lease.isPresent()) {
            note("has ", lease.get());
            phase = Phase.HOLDING;
            belief = world.checks.given(this, lease.get());
        } else if (thrown == null) {
            note("goes without: others hold it");
            world.checks.empty(this);
        } else {
            Throwable cause =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (world.trace != null) {
                note("fails: " + cause);
            }
            leaves();
            if (cause instanceof BackendUnavailableException outage) {
                world.checks.failed(this, outage);
            }
            boolean known = cause instanceof BackendUnavailableException
                    || cause instanceof CancellationException
                    || (cause instanceof ClientClosedException && client.closing);
            if (!known) {
                throw world.violated("failures are known", this + " failed with " + cause);
            }
        }
        if (!(thrown instanceof CancellationException)) {
            world.checks.inTime(this);
        }
    }

    private void use(int how) {
        Belief mine = belief;
        if (mine == null) {
            return;
        }
        switch (how) {
            case 5 -> observe(mine);
            case 6 -> extend(mine);
            case 7 -> {
                note("looks: " + mine.lease.state());
                world.checks.look(mine);
            }
            default -> release(mine);
        }
    }

    void release() {
        if (belief != null) {
            release(belief);
        }
    }

    private void release(Belief mine) {
        phase = Phase.RELEASING;
        world.checks.held(client.index, name);
        int how = world.calm || thread.blocks() ? 0 : world.choices.below(8);
        if (how == 1) {
            releaseAtOnce(mine);
            return;
        }
        LeaseState before = mine.lease.state();
        if (how > 4) {
            note("releases and waits: ", mine.lease);
            thread.begin(
                    client.driver.release(mine.lease),
                    result -> released(mine, before, result, null),
                    e -> released(mine, before, null, e));
            return;
        }
        note("releases ", mine.lease);
        mine.lease.releaseAsync().whenComplete((result, thrown) -> released(mine, before, result, thrown));
    }

    private void releaseAtOnce(Belief mine) {
        note("releases at once: ", mine.lease);
        LeaseState before = mine.lease.state();
        client.backend.atOnce = true;
        try {
            released(mine, before, mine.lease.release(), null);
        } catch (BackendUnavailableException | ClientClosedException e) {
            released(mine, before, null, e);
        } finally {
            client.backend.atOnce = false;
        }
    }

    private void released(Belief mine, LeaseState before, @Nullable ReleaseResult result, @Nullable Throwable thrown) {
        if (world.trace != null) {
            note("release: " + (thrown == null ? result : thrown));
        }
        phase = Phase.IDLE;
        belief = null;
        world.checks.released(mine, before, result, thrown);
    }

    /** A second release of a lease whose first is under way. */
    private void again(Belief mine) {
        note("releases again");
        mine.lease.releaseAsync().whenComplete((result, thrown) -> {
            if (result != ReleaseResult.ALREADY_RELEASED && result != ReleaseResult.LOST) {
                throw world.violated("a release counts once", this + " released again: " + result + ", " + thrown);
            }
        });
    }

    private void observe(Belief mine) {
        int where = world.choices.below(4);
        Executor executor = where == 0 ? client.executor : where == 1 ? Caller::rejects : Runnable::run;
        boolean throwing = world.choices.below(3) == 1;
        note("observes on " + (where == 0 ? "the client's executor" : where == 1 ? "one that refuses" : "the spot"));
        boolean first = !mine.observed;
        mine.observed |= where >= 2;
        mine.lease.onChange(executor, state -> {
            note("is told " + state);
            if (where >= 2 && first) {
                world.checks.told(mine, state);
            }
            if (throwing) {
                throw new Thrown();
            }
        });
    }

    private static void rejects(Runnable task) {
        throw new Thrown();
    }

    private void extend(Belief mine) {
        LockOptions held = OPTIONS[option];
        boolean allowed = !thread.blocks()
                && held.fixedLease().isPresent()
                && held.maxHold().isEmpty();
        if (allowed && world.choices.below(4) > 0) {
            extendInSteps(mine);
        } else {
            extendAtOnce(mine);
        }
    }

    private void extendInSteps(Belief mine) {
        long asked = world.now();
        note("extends and waits: ", mine.lease);
        try {
            phase = Phase.EXTENDING;
            thread.begin(
                    client.driver.extend(mine.lease, EXTENSION),
                    done -> {
                        goesOn();
                        note("extended");
                        world.checks.extended(mine, EXTENSION.minusNanos(world.now() - asked));
                        world.checks.look(mine);
                    },
                    this::notExtended);
        } catch (LeaseLostException e) {
            notExtended(e);
        }
    }

    /** Unless the lease was released meanwhile. */
    private void goesOn() {
        phase = phase == Phase.EXTENDING ? Phase.HOLDING : phase;
    }

    private void notExtended(RuntimeException why) {
        goesOn();
        note("not extended: " + why.getMessage());
        boolean outage = why instanceof BackendUnavailableException || why instanceof ClientClosedException;
        expected(why, outage || why instanceof LeaseLostException);
    }

    private void extendAtOnce(Belief mine) {
        note("extends ", mine.lease);
        client.backend.atOnce = true;
        try {
            mine.lease.extend(EXTENSION);
            note("extended");
            world.checks.extended(mine, EXTENSION);
        } catch (InvalidArgumentException
                | LeaseLostException
                | BackendUnavailableException
                | ClientClosedException expected) {
            note("not extended: " + expected.getMessage());
        } finally {
            client.backend.atOnce = false;
        }
        world.checks.look(mine);
    }

    long state() {
        long asks = phase != Phase.WAITING
                ? 0
                : (wait.equals(FOREVER) ? 1 : wait.isZero() ? 2 : 3) + (thread.blocks() ? 4 : 0);
        long lock = phase == Phase.IDLE ? 0 : 1 + option * 4L + name;
        return (phase.name().hashCode() * 8L + asks) * 64 + lock;
    }

    @Override
    public String toString() {
        return "c" + client.index + "." + index;
    }
}
