package io.hasp.engine.driver;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Effect;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.threads.LosslessExecutor;
import io.hasp.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies events to the {@link LockMachine} of one name, one at a time, and starts its effects in the order of their events,
 * outside the lock. A thread that applies an event becomes the starter, unless another thread is: it runs the effect loop. An answer that
 * comes on the calling thread is another turn of that loop, and not a nested call. Thread-safe.
 *
 * <p>Effects that are added while the loop runs are mostly for other callers, and may never end. A worker, a thread of the client's own,
 * starts them. The timer's thread sets timers and requests renewals, and leaves all other effects to a worker.
 *
 * <p>A woken caller often preempts the thread that woke it. If that thread were still the starter, the caller's next request would stall.
 * So the last effect of a batch, if it only wakes a thread, is started after the role is left.
 *
 * <p>An executor of the program may block the thread that calls it, or run the task on that thread. The thread therefore starts the other
 * effects of its batch first, leaves its role, and then calls the executor: interrupts and withdrawals of other leases do not wait for it.
 */
public final class LockDriver implements LeaseMachine {
    private static final Object WORKER_TO_COME = new Object();
    private static final List<Effect> NONE = List.of();
    /** A worker then makes room for those of other names. */
    private static final int LONGEST_TURN = 64;

    private enum Next {
        NOTHING,
        EFFECTS,
        RETIRED
    }

    private final LockMachine machine;
    private final SharedServices services;
    private final EffectStarter effectStarter;
    private final Consumer<LockDriver> whenIdle;

    /** The effects of the events so far that are not in the batch. */
    private List<Effect> effects = List.of();
    /** The effects that are being started. The batch and the count of started ones belong to the starter, if there is one. */
    private List<Effect> batch = new ArrayList<>(4);

    private int started;
    /** The thread that starts effects, or {@link #WORKER_TO_COME}; null if none does. */
    private volatile @Nullable Object starter;
    /** Users that the machine does not know of. */
    private int users;

    private boolean retired;

    public LockDriver(
            LockMachine machine, SharedServices services, RenewalTimer renewals, Consumer<LockDriver> whenIdle) {
        this.machine = machine;
        this.services = services;
        this.effectStarter = new EffectStarter(services, renewals, this);
        this.whenIdle = whenIdle;
    }

    public LockMachine machine() {
        return machine;
    }

    /** Adds a user; false if the driver is retired, so that a new driver is needed. */
    public synchronized boolean enter() {
        if (!retired) {
            users++;
        }
        return !retired;
    }

    public void leave() {
        boolean idle;
        synchronized (this) {
            users--;
            idle = retires();
        }
        if (idle) {
            whenIdle.accept(this);
        }
    }

    /** Lets a contender join; false if the driver is retired, so that a new driver is needed. */
    public boolean join(Contender contender) {
        return apply(new Event.Joined(contender), false);
    }

    /** Applies an event and starts what follows from it, unless another thread does so. Without effect once the client has failed. */
    @Override
    public void apply(Event event) {
        apply(event, true);
    }

    @Override
    public synchronized boolean beginsRenewal(HeldLease lease) {
        return !services.failStop.failed() && machine.beginsRenewal(lease, services.now());
    }

    @Override
    public synchronized boolean confirms(HeldLease lease, long sentAt, Renewal.Renewed renewed) {
        return !services.failStop.failed() && machine.confirms(lease, sentAt, renewed, services.now());
    }

    private boolean apply(Event event, boolean evenIfRetired) {
        Next next;
        Effect wakeUp = null;
        try {
            synchronized (this) {
                if (retired && !evenIfRetired) {
                    return false;
                }
                next = services.failStop.failed() ? Next.NOTHING : take(event);
                if (next == Next.EFFECTS && batch.size() == 1) {
                    wakeUp = onlyWakeUp();
                    next = wakeUp == null ? next : begin();
                }
            }
            if (wakeUp != null) {
                effectStarter.start(wakeUp);
            }
        } catch (Throwable broken) {
            services.failStop.fail(broken);
            return true;
        }
        startAll(next);
        return true;
    }

    /** Takes the only effect of the batch if no starter is needed for it; null otherwise. Needs the lock. */
    private @Nullable Effect onlyWakeUp() {
        Effect effect = batch.get(0);
        if (!effectStarter.wakesThread(effect) || services.threads.onTimer()) {
            return null;
        }
        batch.clear();
        return effect;
    }

    /** Needs the lock. */
    private Next take(Event event) {
        if (starter == null) {
            takeNewEffects();
            machine.on(event, services.now(), batch);
            return begin();
        }
        effects = effects.isEmpty() ? new ArrayList<>(4) : effects;
        machine.on(event, services.now(), effects);
        return Next.NOTHING;
    }

    /**
     * Ends all leases as lost and notifies their holders; the client has failed, and the machine takes no event after this. Starts what a
     * thread left that failed, too.
     */
    public void end(String why) {
        List<Effect> last = new ArrayList<>();
        try {
            synchronized (this) {
                if (starter == null) {
                    takeNewEffects();
                    last.addAll(batch.subList(started, batch.size()));
                    started = batch.size();
                }
                machine.on(new Event.ClientFailed(why), services.now(), last);
            }
        } catch (Throwable broken) {
            LosslessExecutor.log(broken);
        }
        last.forEach(effectStarter::start);
    }

    private void startAll(Next begun) {
        startAll(begun, begun == Next.EFFECTS && services.threads.onTimer(), 1);
    }

    /** Runs on a worker, and starts the effects that another thread left. */
    private void startRest() {
        starter = Thread.currentThread();
        startAll(Next.EFFECTS, false, LONGEST_TURN);
    }

    /**
     * Starts the batch, and then the effects that were added since.
     *
     * @param onTimer true if the thread is the timer's
     * @param most the number of batches after which the thread hands over the rest
     */
    private void startAll(Next begun, boolean onTimer, int most) {
        Next next = begun;
        try {
            List<Effect> executorCalls = services.threads.mayCallExecutor() ? new ArrayList<>(2) : NONE;
            for (int turn = 1; next == Next.EFFECTS; turn++) {
                Effect wakeUp = startBatch(onTimer, executorCalls);
                next = refill();
                if (next == Next.EFFECTS && (onTimer || turn >= most) && passesOn()) {
                    next = Next.NOTHING;
                }
                if (wakeUp != null) {
                    effectStarter.start(wakeUp);
                } else if (!executorCalls.isEmpty()) {
                    executorCalls.forEach(effectStarter::start);
                    executorCalls.clear();
                }
            }
            if (next == Next.RETIRED) {
                whenIdle.accept(this);
            }
        } catch (Throwable broken) {
            synchronized (this) {
                // A thread that wakes another may not be the starter any more.
                starter = starter == Thread.currentThread() ? null : starter;
            }
            services.failStop.fail(broken);
        }
    }

    /** Leaves the batch to a worker, unless there is none but this thread. */
    private boolean passesOn() {
        starter = WORKER_TO_COME;
        boolean passed = Relay.passesOn(services.threads.effects, this::startRest);
        if (!passed) {
            starter = Thread.currentThread();
        }
        return passed;
    }

    /** Makes the calling thread the starter of the batch, if there is one. Needs the lock. */
    private Next begin() {
        if (batch.isEmpty()) {
            starter = null;
            return retires() ? Next.RETIRED : Next.NOTHING;
        }
        starter = Thread.currentThread();
        return Next.EFFECTS;
    }

    /** Takes the effects that were added since. Without effect on a thread that has left its role to another. */
    private synchronized Next refill() {
        if (starter != Thread.currentThread()) {
            return Next.NOTHING;
        }
        if (started == batch.size()) {
            batch.clear();
            started = 0;
        }
        takeNewEffects();
        return begin();
    }

    private void takeNewEffects() {
        if (!effects.isEmpty()) {
            batch.addAll(effects);
            effects.clear();
        }
    }

    /**
     * Starts the batch, except for effects that call an executor of the program, which may block: it adds those to a list. If there are
     * none and the last effect only wakes a thread, it returns that one instead. An effect may make this thread leave its role to another.
     *
     * @param executorCalls {@link #NONE} if this thread does not call the executor
     */
    private @Nullable Effect startBatch(boolean onTimer, List<Effect> executorCalls) {
        while (started < batch.size() && starter == Thread.currentThread()) {
            Effect effect = batch.get(started);
            if (onTimer && !EffectStarter.unnoticed(effect)) {
                return null;
            }
            started++;
            if (executorCalls != NONE && effectStarter.callsPool(effect)) {
                executorCalls.add(effect);
            } else if (started == batch.size() && executorCalls.isEmpty() && effectStarter.wakesThread(effect)) {
                return effect;
            } else {
                effectStarter.start(effect);
            }
        }
        return null;
    }

    /**
     * Prevents a starter that waits inside of an effect from waiting for itself: it leaves the effects to a worker. Without workers, it
     * starts effects here until the awaited result is there. The loop below it on the stack starts the rest, so that a thousand waiters
     * that release the lock in their callbacks do not nest a thousand calls. Without effect on other threads.
     */
    public void help(CompletableFuture<?> awaited) {
        while (starter == Thread.currentThread() && !awaited.isDone()) {
            if (leavesRole()) {
                return;
            }
            while (started < batch.size() && !awaited.isDone()) {
                effectStarter.start(batch.get(started++));
            }
            synchronized (this) {
                if (effects.isEmpty()) {
                    return;
                }
                takeNewEffects();
            }
        }
    }

    private boolean leavesRole() {
        if (!services.threads.workers()) {
            return false;
        }
        synchronized (this) {
            takeNewEffects();
            if (started == batch.size()) {
                batch.clear();
                started = 0;
                starter = null;
                return true;
            }
        }
        return passesOn();
    }

    /** Retires the driver if it has no more use; true once. Needs the lock. */
    private boolean retires() {
        if (retired || starter != null || users > 0 || !machine.idle()) {
            return false;
        }
        retired = true;
        return true;
    }

    /** Returns the present life of a lease, which ends it if its time is over. */
    public LeaseLife look(HeldLease lease) {
        LeaseLife known = lease.life();
        long now = services.now();
        if (!known.ended()
                && (now >= known.deadline() || now >= known.suspectAt())
                && known.on(new LeaseLife.Event.Ticked(), now).state() != known.state()) {
            apply(new Event.TimePassed(lease));
            known = lease.life();
        }
        return services.failStop.failed() ? lostByFailure(known, now) : known;
    }

    private LeaseLife lostByFailure(LeaseLife known, long now) {
        return known.on(new LeaseLife.Event.Denied(services.whyFailed()), now);
    }

    /** Returns the lease that excludes all others; null if there is none. */
    public synchronized @Nullable HeldLease holder() {
        return machine.holder();
    }

    /** The leases that are in use. */
    public synchronized List<HeldLease> leasesInUse() {
        return machine.leasesInUse();
    }

    /** Ends a grant that is kept without a lease. */
    public void giveBackKept() {
        KeptGrant kept;
        synchronized (this) {
            kept = machine.kept();
        }
        if (kept != null) {
            apply(new Event.Unwatched(kept));
        }
    }

    /** True if nothing but leases in use is left to do. */
    public synchronized boolean answered() {
        return starter == null && users == 0 && machine.answered();
    }

    /** True if that lease is the present one of its holder id. */
    synchronized boolean has(HeldLease lease) {
        return machine.has(lease);
    }

    /** Notifies the observer of every later change, and at once if the lease has ended. */
    public void observe(HeldLease lease, Consumer<LeaseLife.State> observer) {
        LeaseLife.State present;
        synchronized (this) {
            present = lease.life().state();
            if (lease.alive()) {
                lease.observe(observer);
            }
        }
        if (present == LeaseLife.State.LOST || present == LeaseLife.State.RELEASED) {
            observer.accept(present);
        }
    }

    /** Stops the work under the lease when it ends; now if it has ended. The stopper runs the task that it takes when the work was stopped. */
    public void stopWorkBy(HeldLease lease, Consumer<Runnable> stopper) {
        synchronized (this) {
            if (lease.alive()) {
                lease.stopWorkBy(stopper);
                return;
            }
        }
        stopper.accept(() -> {});
    }

    /** Runs a short task when the lease ends, on the thread that starts the effects; now if it has ended. */
    public void whenEnded(HeldLease lease, Runnable task) {
        synchronized (this) {
            if (lease.alive()) {
                lease.whenEnded(task);
                return;
            }
        }
        task.run();
    }
}
