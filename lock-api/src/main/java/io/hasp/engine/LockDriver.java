package io.hasp.engine;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies events to the {@link LockMachine} of one name, one at a time, and starts its effects in the order of their events,
 * outside the lock. Whoever applies an event while nobody starts effects starts them all; so an answer that comes on the
 * calling thread is another turn of that loop, and not a call within a call. Nothing that is started here blocks or runs
 * anything of the user's: requests are handed to whoever makes them, news to the threads for it. Thread-safe.
 *
 * <p>A thread that is woken often takes the processor from the one that woke it. Its next request would then wait for a
 * starter that does not run; so the last effect of a batch, if it ends a blocking call, is started when nobody is the starter.
 */
final class LockDriver {
    /** What is to be done after an event. */
    private enum Next {
        NOTHING,
        EFFECTS,
        RETIRED
    }

    private static final long UNTIL_NEXT_RECOVERY = TimeUnit.MILLISECONDS.toNanos(100);

    private final LockMachine machine;
    private final Services services;
    private final RenewalTimer renewals;
    private final Consumer<LockDriver> whenIdle;

    /** What follows from the events so far, and is not among those that are being started. */
    private List<Effect> effects = List.of();
    /** What is being started, and how many of them were; the starter's alone, if there is one. */
    private List<Effect> batch = new ArrayList<>(4);

    private int started;
    /** The thread that starts effects; null if none does. */
    private volatile @Nullable Thread starter;
    /** How many use it beyond what its machine knows. */
    private int users;

    private boolean retired;

    LockDriver(LockMachine machine, Services services, RenewalTimer renewals, Consumer<LockDriver> whenIdle) {
        this.machine = machine;
        this.services = services;
        this.renewals = renewals;
        this.whenIdle = whenIdle;
    }

    LockMachine machine() {
        return machine;
    }

    /** Adds a user; false if it is retired, so that another one has to be had. */
    synchronized boolean enter() {
        if (!retired) {
            users++;
        }
        return !retired;
    }

    void leave() {
        boolean idle;
        synchronized (this) {
            users--;
            idle = retires();
        }
        if (idle) {
            whenIdle.accept(this);
        }
    }

    /** Lets a contender join; false if it is retired, so that another one has to be had. */
    boolean join(Contender contender) {
        return apply(new Event.Joined(contender), false);
    }

    /** Applies an event and starts what follows from it, unless somebody else does so. */
    void apply(Event event) {
        apply(event, true);
    }

    private boolean apply(Event event, boolean evenIfRetired) {
        Next next = Next.NOTHING;
        try {
            synchronized (this) {
                if (retired && !evenIfRetired) {
                    return false;
                }
                if (starter == null) {
                    takeNewEffects();
                    machine.on(event, services.now(), batch);
                    next = begin();
                } else {
                    effects = effects.isEmpty() ? new ArrayList<>(4) : effects;
                    machine.on(event, services.now(), effects);
                }
            }
        } catch (Throwable broken) {
            recover(event, broken);
            throw broken;
        }
        startAll(next);
        return true;
    }

    private void startAll(Next begun) {
        Next next = begun;
        try {
            while (next == Next.EFFECTS) {
                Effect wakeUp = startBatch();
                try {
                    next = refill();
                } finally {
                    if (wakeUp != null) {
                        start(wakeUp);
                    }
                }
            }
        } catch (Throwable broken) {
            synchronized (this) {
                // Whoever wakes another thread may not be the starter any more.
                starter = starter == Thread.currentThread() ? null : starter;
            }
            services.threads.requests.execute(this::resume);
            throw broken;
        } finally {
            if (next == Next.RETIRED) {
                whenIdle.accept(this);
            }
        }
    }

    /** Starts what a thread left that ran out of memory or stack, unless somebody else does so. */
    private void resume() {
        Next next = Next.NOTHING;
        synchronized (this) {
            if (starter == null) {
                takeNewEffects();
                next = begin();
            }
        }
        startAll(next);
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

    /** Takes the effects that came meanwhile. */
    private synchronized Next refill() {
        batch.clear();
        started = 0;
        takeNewEffects();
        return begin();
    }

    private void takeNewEffects() {
        if (!effects.isEmpty()) {
            batch.addAll(effects);
            effects.clear();
        }
    }

    /** Returns the last effect, not started, if it ends a blocking call. */
    private @Nullable Effect startBatch() {
        while (started < batch.size()) {
            Effect effect = batch.get(started++);
            if (started == batch.size() && endsBlockingCall(effect)) {
                return effect;
            }
            start(effect);
        }
        return null;
    }

    /** Runs nothing of the user's then. */
    private static boolean endsBlockingCall(Effect effect) {
        if (effect instanceof Effect.Complete e) {
            return e.contender().turns instanceof CallerTurns;
        }
        return effect instanceof Effect.CompleteRelease e && e.call().turns instanceof CallerTurns;
    }

    /**
     * A thread that starts effects, and from one of them came to wait for another (an executor of the user's that runs tasks on
     * the spot), starts them from there. Without effect on other threads.
     */
    void help() {
        while (starter == Thread.currentThread()) {
            Effect last = startBatch();
            if (last != null) {
                start(last);
            }
            synchronized (this) {
                if (effects.isEmpty()) {
                    return;
                }
                takeNewEffects();
            }
        }
    }

    /** Whether it has just become useless. Needs the lock. */
    private boolean retires() {
        if (retired || starter != null || users > 0 || !machine.idle()) {
            return false;
        }
        retired = true;
        return true;
    }

    private void start(Effect effect) {
        try {
            if (effect instanceof Effect.Acquire e) {
                e.contender().turns.take(new AcquireTurn(e.contender(), e.claim()));
            } else if (effect instanceof Effect.Complete e) {
                e.contender().result.complete(e.outcome());
            } else if (effect instanceof Effect.Release e) {
                releaseCall(e.lease()).turns.take(new ReleaseTurn(e.lease()));
            } else if (effect instanceof Effect.CompleteRelease e) {
                e.call().result.complete(e.found());
            } else if (effect instanceof Effect.Report e) {
                services.notices.accept(e.notice());
            } else if (effect instanceof Effect.Wake e) {
                wake(e.subject());
            } else if (effect instanceof Effect.Tell e) {
                tell(e.lease(), e.awaited());
            } else if (effect instanceof Effect.Transfer e) {
                releaseCall(e.from()).turns.take(new TransferTurn(e.from(), e.contender(), e.claim()));
            } else if (effect instanceof Effect.Withdraw e) {
                services.threads.requests.execute(() -> withdraw(e.owed()));
            } else if (effect instanceof Effect.Renew e) {
                renewals.renew(e.lease());
            } else if (effect instanceof Effect.FailRelease e) {
                e.call().result.completeExceptionally(e.failure());
            }
        } catch (Throwable broken) {
            notStarted(effect, broken);
        }
    }

    private static ReleaseCall releaseCall(HeldLease lease) {
        return Objects.requireNonNull(lease.releaseCall);
    }

    /** No memory, no thread or no timer: whoever waits for it must hear of that, even if this thread can't say what broke. */
    private void notStarted(Effect effect, Throwable broken) {
        BackendFailure failure;
        try {
            failure = Failures.ofClient(broken);
        } catch (Throwable worse) {
            services.threads.requests.execute(() -> fail(effect, described(broken)));
            throw worse;
        }
        fail(effect, failure);
    }

    private static BackendFailure described(Throwable broken) {
        try {
            return Failures.ofClient(broken);
        } catch (Throwable worse) {
            return new BackendFailure(
                    BackendFailure.Kind.UNAVAILABLE,
                    BackendFailure.Outcome.UNKNOWN,
                    "the client failed, and could not say how",
                    null);
        }
    }

    private void fail(Effect effect, BackendFailure failure) {
        if (effect instanceof Effect.Acquire e) {
            apply(new Event.Answered(e.contender(), services.now(), null, failure));
        } else if (effect instanceof Effect.Release e) {
            apply(new Event.ReleaseAnswered(e.lease(), null, failure));
        } else if (effect instanceof Effect.Transfer e) {
            apply(new Event.ReleaseAnswered(e.from(), null, failure));
            apply(new Event.Answered(e.contender(), services.now(), null, failure));
        } else if (effect instanceof Effect.Withdraw e) {
            apply(new Event.OwedAnswered(e.owed(), failure));
        } else if (effect instanceof Effect.Renew e) {
            apply(new Event.Renewed(e.lease(), services.now(), new Renewal.Unknown(failure)));
        } else if (effect instanceof Effect.Wake e && e.subject() instanceof Contender contender) {
            apply(new Event.GaveUp(contender, new Outcome.Failed(failure)));
        } else if (effect instanceof Effect.Wake e && e.subject() instanceof HeldLease lease) {
            // Nobody would renew it, and nobody would notice its end.
            apply(new Event.Renewed(
                    lease, services.now(), new Renewal.Lost("no timer could be set for it: " + failure.getMessage())));
        } else if (effect instanceof Effect.Wake e && e.subject() instanceof OwedRelease owed) {
            services.threads.requests.execute(() -> withdraw(owed));
        } else if (effect instanceof Effect.Tell e && e.awaited()) {
            apply(new Event.Told(e.lease()));
        }
    }

    /** The machine has run out of memory or stack in the midst of an event: it recovers on a thread with a stack of its own. */
    private void recover(Event event, Throwable broken) {
        boolean entered = enter();
        if (event instanceof Event.BrokenOff) {
            services.schedule(
                    UNTIL_NEXT_RECOVERY, () -> services.threads.requests.execute(() -> recovered(event, entered)));
        } else {
            services.threads.requests.execute(() -> recovered(new Event.BrokenOff(event, described(broken)), entered));
        }
    }

    /** Not retired before: what is given back then would be nobody's when the client closes. */
    private void recovered(Event event, boolean entered) {
        try {
            apply(event);
        } finally {
            if (entered) {
                leave();
            }
        }
    }

    private void wake(Timed subject) {
        if (subject instanceof HeldLease lease) {
            renewals.set(lease, this::apply);
            return;
        }
        if (subject.timer != null) {
            subject.timer.cancel();
            subject.timer = null;
        }
        long at = subject.alarm;
        if (at != Timed.NEVER) {
            subject.timer = services.schedule(at - services.now(), () -> apply(new Event.TimePassed(subject)));
        }
    }

    private void tell(HeldLease lease, boolean awaited) {
        Runnable task = lease.alive() ? null : lease.takeWhenEnded();
        if (task != null) {
            LosslessExecutor.contained(task);
        }
        if (lease.observed() || awaited) {
            Runnable then = awaited ? () -> apply(new Event.Told(lease)) : null;
            services.threads.notices.execute(() -> lease.tellObservers(then));
        }
    }

    private SignalListener signals(Contender contender, Claim claim) {
        return signal -> apply(new Event.Signalled(contender, claim.holder(), signal));
    }

    private final class AcquireTurn implements Turns.Turn {
        private final Contender contender;
        private final Claim claim;

        AcquireTurn(Contender contender, Claim claim) {
            this.contender = contender;
            this.claim = claim;
        }

        @Override
        public void run() {
            long sentAt = services.now();
            CompletionStage<Attempt> answer;
            try {
                answer = services.backend.acquire(claim, signals(contender, claim));
            } catch (Throwable broken) {
                answer = CompletableFuture.failedStage(Failures.ofClient(broken));
            }
            whenAnswered(answer, (attempt, failure) -> apply(new Event.Answered(contender, sentAt, attempt, failure)));
        }

        @Override
        public void drop() {
            apply(new Event.Dropped(contender));
        }
    }

    private final class ReleaseTurn implements Turns.Turn {
        private final HeldLease lease;

        ReleaseTurn(HeldLease lease) {
            this.lease = lease;
        }

        @Override
        public void run() {
            whenAnswered(
                    release(lease.grant.claim()),
                    (found, failure) -> apply(new Event.ReleaseAnswered(lease, found, failure)));
        }

        @Override
        public void drop() {
            run();
        }
    }

    private final class TransferTurn implements Turns.Turn {
        private final HeldLease from;
        private final Contender contender;
        private final Claim claim;

        TransferTurn(HeldLease from, Contender contender, Claim claim) {
            this.from = from;
            this.contender = contender;
            this.claim = claim;
        }

        @Override
        public void run() {
            long sentAt = services.now();
            Transfer answers;
            try {
                answers = services.backend.transfer(from.grant, claim, signals(contender, claim));
            } catch (Throwable broken) {
                answers = Transfer.failed(Failures.ofClient(broken));
            }
            whenAnswered(
                    answers.released(), (found, failure) -> apply(new Event.ReleaseAnswered(from, found, failure)));
            whenAnswered(
                    answers.attempt(),
                    (attempt, failure) -> apply(new Event.Answered(contender, sentAt, attempt, failure)));
        }

        @Override
        public void drop() {
            run();
        }
    }

    private void withdraw(OwedRelease owed) {
        whenAnswered(release(owed.claim), (found, failure) -> apply(new Event.OwedAnswered(owed, failure)));
    }

    private CompletionStage<Released> release(Claim claim) {
        try {
            return services.backend.release(claim);
        } catch (Throwable broken) {
            return CompletableFuture.failedStage(Failures.ofClient(broken));
        }
    }

    /** Without another stage where the answer is there, as it is after a call that blocks. */
    private static <T> void whenAnswered(
            CompletionStage<T> answer, BiConsumer<@Nullable T, @Nullable BackendFailure> then) {
        T present = ContractGuard.present(answer);
        if (present != null) {
            then.accept(present, null);
        } else {
            answer.whenComplete((value, thrown) -> then.accept(value, Failures.ofNullable(thrown)));
        }
    }

    /** What is believed of a lease right now. */
    LeaseLife look(HeldLease lease) {
        LeaseLife known = lease.life();
        long now = services.now();
        if (!known.ended()
                && (now >= known.deadline() || now >= known.suspectAt())
                && known.on(new LeaseLife.Event.Ticked(), now).state() != known.state()) {
            apply(new Event.TimePassed(lease));
            return lease.life();
        }
        return known;
    }

    /** The lease that stands in everybody's way; null if there is none. */
    synchronized @Nullable HeldLease holder() {
        return machine.holder();
    }

    /** Tells about every later change, and at once if it has ended already. */
    void observe(HeldLease lease, Consumer<LeaseLife.State> observer) {
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

    /** Runs a short task when the lease ends, on the thread that starts the effects; now if it has ended. */
    void whenEnded(HeldLease lease, Runnable task) {
        synchronized (this) {
            if (lease.alive()) {
                lease.whenEnded(task);
                return;
            }
        }
        task.run();
    }
}
