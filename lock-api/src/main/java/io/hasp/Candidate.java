package io.hasp;

import static io.hasp.InvalidArgumentException.required;
import static java.util.Objects.requireNonNull;

import io.hasp.engine.threads.Failures;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.LogQueue;
import io.hasp.spi.StackReserve;
import io.hasp.spi.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One candidate of one client: asks for the lock, leads while it holds it, and asks again. Only the engine's asynchronous calls are used, so
 * a candidate that waits needs no thread. The monitor guards the state; no call of the engine, of a listener or of an executor happens under
 * it.
 */
final class Candidate implements LeaderElection {
    private enum Phase {
        NOT_JOINED,
        ASKING,
        LEADING,
        /** The term is over, and its lock is being released, or its work has not ended. */
        LEAVING,
        PAUSING
    }

    private final ClientContext client;
    private final DistributedLock lock;
    private final ElectionOptions options;
    private final String label;
    private final ChangeListeners listeners = new ChangeListeners();
    private final List<CompletableFuture<Term>> awaiting = new ArrayList<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private Phase phase = Phase.NOT_JOINED;
    private @Nullable TermAction work;
    private @Nullable CompletableFuture<Lease> asked;
    private @Nullable TermWork running;
    private Timing.@Nullable Timer pause;
    private volatile @Nullable Term term;
    private boolean closed;

    Candidate(ClientContext client, DistributedLock lock, ElectionOptions options) {
        this.client = client;
        this.lock = lock;
        this.options = options;
        this.label = options.label().orElseGet(HostAndProcess::label);
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public void run(TermAction action) {
        required("the work", action);
        StackReserve.require();
        TermWork begun;
        synchronized (this) {
            requireOpen();
            if (work != null) {
                throw InvalidArgumentException.ofLock(
                        name(), "election '" + name() + "' has its work already: run was called before");
            }
            work = action;
            begun = phase == Phase.LEADING ? begin() : null;
        }
        start(begun);
        join();
    }

    @Override
    public void join() {
        StackReserve.require();
        synchronized (this) {
            requireOpen();
            if (phase != Phase.NOT_JOINED) {
                return;
            }
            phase = Phase.ASKING;
        }
        client.elections.add(this);
        ask();
    }

    private void requireOpen() {
        if (closed || client.engine.closing()) {
            throw closedException();
        }
    }

    private ClientClosedException closedException() {
        return client.engine.closing()
                ? client.closedException(lock.lockName())
                : new ClientClosedException("election '" + name() + "' was closed", name());
    }

    @Override
    public Optional<Term> await(Duration wait) throws InterruptedException {
        long nanos = Nanos.of(Durations.wait(wait));
        join();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<Term> elected = new CompletableFuture<>();
        synchronized (this) {
            requireOpen();
            Optional<Term> now = term();
            if (now.isPresent() || nanos == 0) {
                return now;
            }
            awaiting.add(elected);
        }
        CompletableFuture<Optional<Term>> result =
                elected.thenApply(Optional::of).exceptionally(failure -> Optional.empty());
        Timing.Timer timer = nanos == Nanos.FOREVER ? () -> {} : after(wait, () -> result.complete(Optional.empty()));
        try {
            Optional<Term> found = result.get();
            if (elected.isCompletedExceptionally()) {
                throw closedException();
            }
            return found;
        } catch (ExecutionException e) {
            throw new AssertionError("completed normally only", e);
        } finally {
            timer.cancel();
            synchronized (this) {
                awaiting.removeIf(each -> each == elected);
            }
        }
    }

    /** A client that has ended has no timers, and has failed those who wait. */
    private Timing.Timer after(Duration wait, Runnable task) {
        try {
            return client.engine.threads().timing.schedule(wait, task);
        } catch (RejectedExecutionException clientEnded) {
            return () -> {};
        }
    }

    @Override
    public Optional<Term> term() {
        Term now = term;
        return now == null || now.ended() ? Optional.empty() : Optional.of(now);
    }

    @Override
    public Registration onChange(Executor executor, Consumer<LeaderChange> listener) {
        required("the listener", listener);
        required("the executor", executor);
        ChangeListeners.Listener registered;
        synchronized (this) {
            registered = listeners.register(executor, listener);
            if (term != null) {
                registered.add(new LeaderChange.Elected(term));
            }
        }
        registered.start();
        return registered;
    }

    /** Asks for the lock; its answer comes on a thread of the engine. */
    private void ask() {
        CompletableFuture<Lease> asking;
        try {
            asking = lock.acquireAsync();
        } catch (RuntimeException | Error e) {
            asking = CompletableFuture.failedFuture(e);
        }
        boolean tooLate;
        synchronized (this) {
            asked = asking;
            tooLate = closed;
        }
        asking.whenComplete(this::answered);
        if (tooLate) {
            withdraw(asking);
        }
    }

    /** If the lock was granted before, its release is awaited. */
    private void withdraw(CompletableFuture<Lease> asking) {
        if (asking.cancel(false) || asking.isCompletedExceptionally()) {
            finished();
        }
    }

    private void answered(@Nullable Lease lease, @Nullable Throwable failure) {
        if (lease != null) {
            elected(lease);
        } else if (failure != null) {
            refused(Failures.causeOf(failure));
        }
    }

    private void refused(Throwable failure) {
        if (failure instanceof ClientClosedException) {
            beginClosing();
            return;
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            asked = null;
        }
        LogQueue.log(
                Level.WARNING,
                "candidate '" + label + "' of election '" + name() + "' could not ask for its lock, and asks again: "
                        + failure.getMessage());
        pauseThenAsk();
    }

    private void elected(Lease lease) {
        Term begun = new Term(lease, client.engine::now);
        TermWork begins = null;
        List<CompletableFuture<Term>> woken = List.of();
        boolean leads;
        synchronized (this) {
            asked = null;
            leads = !closed;
            if (leads) {
                phase = Phase.LEADING;
                term = begun;
                listeners.add(new LeaderChange.Elected(begun));
                begins = work == null ? null : begin();
                woken = List.copyOf(awaiting);
                awaiting.clear();
            }
        }
        if (!leads) {
            lease.giveBackAsync().whenComplete((released, none) -> finished());
            return;
        }
        woken.forEach(waiter -> waiter.complete(begun));
        start(begins);
        lease.whenEnded(() -> client.engine.threads().callbacks.execute(() -> lost(begun)));
        // Last, because a listener that runs on the spot may take its time.
        listeners.deliver();
    }

    /** Called under the monitor. */
    private TermWork begin() {
        Term of = requireNonNull(term);
        running = new TermWork(of, requireNonNull(work), failure -> worked(of, failure));
        return running;
    }

    private void start(@Nullable TermWork begun) {
        if (begun != null) {
            begun.start("hasp-leader-" + name());
        }
    }

    /** The lease ended; the lease itself interrupts the work. */
    private void lost(Term lost) {
        boolean working;
        synchronized (this) {
            if (!ends(lost)) {
                return;
            }
            working = running != null;
        }
        listeners.deliver();
        if (!working) {
            leave(lost, null);
        }
    }

    @Override
    public boolean resign() {
        StackReserve.require();
        Term resigned;
        boolean working;
        synchronized (this) {
            resigned = term;
            if (resigned == null || resigned.ended()) {
                return false;
            }
            working = interruptWork();
            if (!ends(resigned)) {
                return false;
            }
        }
        stopped(resigned, working);
        return true;
    }

    /**
     * Interrupts the work before its term has ended for those who look: work that finds its term ended, and cleans up, is not interrupted
     * any more. Called under the monitor; false if there is no work.
     */
    private boolean interruptWork() {
        TermWork working = running;
        if (working != null) {
            working.stop();
        }
        return working != null;
    }

    private void stopped(Term ended, boolean working) {
        if (!working) {
            // A listener that runs on the spot may close the client, which does not wait for its own thread.
            ended.lease().takenOver();
        }
        listeners.deliver();
        if (!working) {
            leaveFromAnywhere(ended);
        }
    }

    /** The stack of the program may be at its end: without the release, the lock would be renewed and have no leader. */
    private void leaveFromAnywhere(Term ended) {
        Runnable leaving = new Leaving(this, ended);
        try {
            leaving.run();
        } catch (StackOverflowError tooLittle) {
            client.engine.threads().callbacks.executeElsewhere(leaving);
        }
    }

    /** Not a lambda, which needs much stack when it first occurs. */
    private record Leaving(Candidate candidate, Term ended) implements Runnable {
        @Override
        public void run() {
            candidate.leave(ended, null);
        }
    }

    /** Ends the term, for all who look; false if it has ended before. Called under the monitor. */
    private boolean ends(Term ending) {
        // This may find the loss, and an executor that runs tasks on the spot then ends the term in here.
        LeaseLostException loss = ending.lease().loss();
        if (term != ending) {
            return false;
        }
        ending.resign();
        term = null;
        phase = Phase.LEAVING;
        listeners.add(new LeaderChange.Ended(
                ending, loss == null ? Optional.empty() : Optional.of(String.valueOf(loss.getMessage()))));
        return true;
    }

    /** The work has ended, on its thread. */
    private void worked(Term of, @Nullable Throwable failure) {
        boolean failed = failure != null && of.lease().loss() == null;
        synchronized (this) {
            ends(of);
            running = null;
            failed &= !closed;
        }
        listeners.deliver();
        if (failed) {
            LogQueue.log(
                    Level.WARNING,
                    "the work of candidate '" + label + "' of election '" + name() + "' failed, and is tried again",
                    failure);
        }
        leave(of, failed ? failure : null);
    }

    /** Hands the lock over, and goes to the end of the queue. */
    private void leave(Term ended, @Nullable Throwable failure) {
        ended.lease().giveBackAsync().whenComplete((released, none) -> {
            boolean over;
            synchronized (this) {
                over = closed;
                phase = Phase.ASKING;
            }
            if (over) {
                finished();
            } else if (failure == null) {
                ask();
            } else {
                pauseThenAsk();
            }
        });
    }

    /** The clock is monotonic; the jitter keeps candidates apart that failed together. */
    private void pauseThenAsk() {
        long least = Nanos.of(options.pause());
        long seed = client.engine.now() ^ label.hashCode();
        Duration time = Duration.ofNanos(least + new SplittableRandom(seed).nextLong(least / 2 + 1));
        boolean over;
        synchronized (this) {
            phase = Phase.PAUSING;
        }
        try {
            Timing.Timer timer = client.engine.threads().timing.schedule(time, this::paused);
            synchronized (this) {
                pause = timer;
                over = closed;
            }
            if (over) {
                timer.cancel();
            }
        } catch (RejectedExecutionException clientEnded) {
            over = true;
        }
        if (over) {
            beginClosing();
            finished();
        }
    }

    private void paused() {
        synchronized (this) {
            if (closed || phase != Phase.PAUSING) {
                return;
            }
            phase = Phase.ASKING;
        }
        client.engine.threads().callbacks.execute(this::ask);
    }

    @Override
    public void close() {
        beginClosing();
        TermWork working;
        synchronized (this) {
            working = running;
        }
        if ((working == null || !working.isOnThisThread()) && !listeners.deliveredOnThisThread()) {
            awaitEnd(Nanos.of(client.options.closeWithin()));
        }
    }

    /** Resigns, and leaves the queue; waits for nothing. */
    void beginClosing() {
        StackReserve.require();
        CompletableFuture<Lease> withdrawn;
        List<CompletableFuture<Term>> failed;
        Term ended = null;
        boolean working;
        boolean idle;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            idle = phase == Phase.NOT_JOINED || phase == Phase.PAUSING;
            withdrawn = asked;
            if (pause != null) {
                pause.cancel();
            }
            // Also work that has resigned itself, and was not interrupted.
            working = interruptWork();
            Term now = term;
            if (now != null && ends(now)) {
                ended = now;
            }
            failed = List.copyOf(awaiting);
            awaiting.clear();
        }
        failed.forEach(waiter -> waiter.completeExceptionally(closedException()));
        if (withdrawn != null) {
            withdraw(withdrawn);
        }
        if (ended != null) {
            stopped(ended, working);
        }
        if (idle) {
            finished();
        }
    }

    private void finished() {
        client.elections.remove(this);
        done.complete(null);
    }

    /** Returns true if it was closed, and nothing of it is left to do. */
    boolean ended() {
        return done.isDone();
    }

    private void awaitEnd(long longest) {
        boolean interrupted = false;
        long begun = System.nanoTime();
        try {
            while (true) {
                try {
                    done.get(Math.max(0, longest - (System.nanoTime() - begun)), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new AssertionError("completed normally only", e);
                } catch (TimeoutException e) {
                    LogQueue.log(Level.WARNING, notEnded());
                    return;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized String notEnded() {
        String closedAndIts = "election '" + name() + "' is closed, and the ";
        return running != null
                ? closedAndIts + "work of its candidate '" + label
                        + "' goes on: its lock is not given back before the work ends"
                : closedAndIts + "release of its candidate '" + label
                        + "' is not confirmed: its lock ends with its lease or session at the latest";
    }

    /** Names the election, the candidate and its term, for logs. */
    @Override
    public String toString() {
        return "LeaderElection[" + name() + ", " + label
                + term().map(now -> ", leads with " + LockEvents.token(now.fencingToken()))
                        .orElse("") + "]";
    }
}
