package io.hasp.simulator.clients;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.UserCodeException;
import io.hasp.simulator.world.World;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The actions of a caller on its lease: it reads the state, observes, extends and releases. */
final class LeaseActions {
    private static final Duration EXTENSION = Duration.ofSeconds(3);

    private final World world;
    private final SimulatedThreads threads;
    private final ClientMonitor monitor;
    private final SimulatedCaller caller;

    LeaseActions(SimulatedCaller caller) {
        this.world = caller.client.world;
        this.threads = caller.client.threads;
        this.monitor = caller.client.monitor;
        this.caller = caller;
    }

    /** The holder begins to work under its lease. A lease of a view has no such work. */
    void begins(TrackedLease mine) {
        if (world.configuration.interrupts() && caller.holdCount() == 0 && mine.active()) {
            InterruptibleWork work = new InterruptibleWork();
            mine.work = work;
            work.watched(caller.client.driver.whenCutShort(mine.lease, () -> {
                caller.note("is interrupted in its work");
                threads.engineCode("an interrupt");
                work.interrupt(world.now());
            }));
        }
    }

    boolean use() {
        TrackedLease mine = caller.tracked;
        if (mine == null) {
            return true;
        }
        // Such a call would wait for a thread that is suspended.
        boolean mayWait = !world.configuration.hasThreads();
        if (mayWait && mine.share.weight() > 1 && world.choices.oneIn(4)) {
            lower(mine);
            return true;
        }
        switch (world.choices.below(8)) {
            case 5 -> observe(mine);
            case 6 -> extend(mine);
            case 7 -> {
                caller.note("looks: " + mine.lease.state());
                monitor.look(mine);
            }
            default -> release(mine);
        }
        return true;
    }

    boolean release() {
        if (caller.tracked != null) {
            release(caller.tracked);
        }
        return true;
    }

    private void release(TrackedLease mine) {
        if (mine.work != null) {
            mine.work.end();
        }
        caller.phase = SimulatedCaller.Phase.RELEASING;
        monitor.held(caller.client.index, caller.name);
        monitor.look(mine);
        int how = world.healed() || caller.thread.blocks() ? 0 : world.choices.below(8);
        if (how == 1 && !world.configuration.hasThreads()) {
            releaseAtOnce(mine);
            return;
        }
        LeaseState before = mine.lease.state();
        if (how > 4) {
            caller.note("releases and waits: ", mine.lease);
            caller.thread.begin(
                    caller.client.driver.release(mine.lease),
                    result -> released(mine, before, result, null),
                    e -> released(mine, before, null, e));
            return;
        }
        caller.note("releases ", mine.lease);
        mine.lease.releaseAsync().whenComplete((result, thrown) -> released(mine, before, result, thrown));
    }

    private void releaseAtOnce(TrackedLease mine) {
        caller.note("releases at once: ", mine.lease);
        LeaseState before = mine.lease.state();
        caller.client.backend.atOnce = true;
        try {
            released(mine, before, mine.lease.release(), null);
        } catch (BackendException | ClientClosedException e) {
            released(mine, before, null, e);
        } finally {
            caller.client.backend.atOnce = false;
        }
    }

    private void released(
            TrackedLease mine, LeaseState before, @Nullable ReleaseResult result, @Nullable Throwable thrown) {
        if (world.trace != null) {
            caller.note("release: " + (thrown == null ? result : thrown));
        }
        caller.phase = SimulatedCaller.Phase.IDLE;
        caller.tracked = null;
        monitor.released(mine, before, result, thrown);
    }

    /** A second release of a lease whose first is under way. */
    boolean again(TrackedLease mine) {
        caller.note("releases again");
        mine.lease.releaseAsync().whenComplete((result, thrown) -> {
            boolean counted = result != ReleaseResult.ALREADY_RELEASED && result != ReleaseResult.LOST;
            boolean unanswered = thrown instanceof ClientClosedException && caller.client.closing;
            if (counted && !unanswered && !caller.client.broken) {
                throw world.violated("a release counts once", caller + " released again: " + result + ", " + thrown);
            }
        });
        return true;
    }

    /** Keeps only a part of its share. */
    private void lower(TrackedLease mine) {
        caller.note("keeps a part of ", mine.lease);
        Duration before = mine.lease.remaining();
        LockClient client = caller.client.driver.client();
        String name = world.name(caller.name);
        Share share = mine.share;
        try {
            Lease less;
            if (share.capacity() == Share.READ_WRITE) {
                less = client.readWriteLock(name, caller.options()).downgrade(mine.lease);
                caller.share = Share.READ;
            } else {
                int back = 1 + world.choices.below(share.weight() - 1);
                less = client.semaphore(name, share.capacity(), caller.options())
                        .giveBack(mine.lease, back);
                caller.share = share.loweredTo(share.weight() - back);
            }
            caller.tracked = monitor.lowered(mine, less, before);
        } catch (LeaseLostException | LeaseReleasedException e) {
            caller.note("has nothing to keep: " + e.getMessage());
        } catch (ClientClosedException e) {
            caller.expected(e, caller.client.broken);
        }
    }

    private void observe(TrackedLease mine) {
        if (world.configuration.hasThreads()) {
            observeAndBlock(mine);
            return;
        }
        int where = world.choices.below(4);
        Executor executor = where == 0 ? caller.client.executor : where == 1 ? LeaseActions::rejects : Runnable::run;
        boolean throwing = world.choices.below(3) == 1;
        caller.note(
                "observes on " + (where == 0 ? "the client's executor" : where == 1 ? "one that refuses" : "the spot"));
        boolean first = !mine.observed;
        mine.observed |= where >= 2;
        if (mine.observers++ == 0 && where >= 2 && mine.active()) {
            // A later observer may still receive an earlier change.
            mine.notified = mine.lease.state();
        }
        mine.lease.onChange(executor, state -> {
            caller.note("is told " + state);
            if (where >= 2 && first) {
                monitor.notified(mine, state);
            }
            if (throwing) {
                throw new UserCodeException();
            }
        });
    }

    private void observeAndBlock(TrackedLease mine) {
        boolean own = world.choices.oneIn(2);
        caller.note("observes, and may block");
        mine.lease.onChange(own ? caller.client.executor : Runnable::run, state -> {
            threads.userCode("an observer");
            threads.perhapsBlocks("an observer");
        });
    }

    private static void rejects(Runnable task) {
        throw new UserCodeException();
    }

    private void extend(TrackedLease mine) {
        LockOptions held = caller.options();
        mine.endsBy = Math.max(mine.endsBy, world.now() + EXTENSION.toNanos());
        boolean allowed = !caller.thread.blocks()
                && held.fixedLease().isPresent()
                && held.maxHold().isEmpty();
        if (allowed && world.choices.below(4) > 0) {
            extendInSteps(mine);
        } else if (!world.configuration.hasThreads()) {
            extendAtOnce(mine);
        }
    }

    private void extendInSteps(TrackedLease mine) {
        long asked = world.now();
        caller.note("extends and waits: ", mine.lease);
        try {
            caller.phase = SimulatedCaller.Phase.EXTENDING;
            caller.thread.begin(
                    caller.client.driver.extend(mine.lease, EXTENSION),
                    done -> {
                        goesOn();
                        caller.note("extended");
                        monitor.extended(mine, EXTENSION.minusNanos(world.now() - asked));
                        monitor.look(mine);
                    },
                    this::notExtended);
        } catch (LeaseLostException | LeaseReleasedException e) {
            notExtended(e);
        }
    }

    /** The caller holds its lease again, unless the lease was released during the extension. */
    private void goesOn() {
        caller.phase = caller.phase == SimulatedCaller.Phase.EXTENDING ? SimulatedCaller.Phase.HOLDING : caller.phase;
    }

    private void notExtended(RuntimeException why) {
        goesOn();
        caller.note("not extended: " + why.getMessage());
        boolean outage = why instanceof BackendException || why instanceof ClientClosedException;
        boolean ended = why instanceof LeaseLostException || why instanceof LeaseReleasedException;
        caller.expected(why, outage || ended);
    }

    private void extendAtOnce(TrackedLease mine) {
        caller.note("extends ", mine.lease);
        caller.client.backend.atOnce = true;
        try {
            mine.lease.extend(EXTENSION);
            caller.note("extended");
            monitor.extended(mine, EXTENSION);
        } catch (InvalidArgumentException
                | LeaseLostException
                | LeaseReleasedException
                | BackendException
                | ClientClosedException expected) {
            caller.note("not extended: " + expected.getMessage());
        } finally {
            caller.client.backend.atOnce = false;
        }
        monitor.look(mine);
    }
}
