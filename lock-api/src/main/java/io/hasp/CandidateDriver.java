package io.hasp;

import static java.util.Objects.requireNonNull;

import io.hasp.CandidateState.Step;
import io.hasp.spi.LogQueue;
import io.hasp.spi.StackReserve;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives the {@linkplain CandidateState state} of one candidate: asks for the lock, leads while it holds it, and asks again. Only the engine's
 * asynchronous calls are used, so a candidate that waits needs no thread. The monitor guards the state; no call of the engine, of a listener or
 * of an executor happens under it. Thread-safe.
 */
final class CandidateDriver {
    private final ClientContext client;
    private final DistributedLock lock;
    private final String label;
    private final ChangeListeners listeners = new ChangeListeners();
    private final TermWaiters waiters = new TermWaiters();
    private final CandidateRequest request;
    private final CandidatePause pauses;
    private final CandidateState state = new CandidateState();
    /** Completes when the candidate was closed, and nothing of it is left to do. */
    final CompletableFuture<Void> done = new CompletableFuture<>();

    private @Nullable TermAction work;
    private @Nullable TermWork running;

    CandidateDriver(ClientContext client, DistributedLock lock, Duration leastPause, String label) {
        this.client = client;
        this.lock = lock;
        this.label = label;
        this.request = new CandidateRequest(lock, this::elected, this::refused, this::finished);
        this.pauses = new CandidatePause(client.engine, leastPause, label, this::paused);
    }

    /** Runs the action in each term, also in the present one; false if there is an action already. */
    boolean begin(TermAction action) {
        TermWork begun;
        synchronized (this) {
            requireOpen();
            if (work != null) {
                return false;
            }
            work = action;
            begun = state.leads() ? begin() : null;
        }
        start(begun);
        return true;
    }

    void join() {
        Step next;
        synchronized (this) {
            requireOpen();
            next = state.joins();
        }
        if (next == Step.ASK) {
            client.elections.add(this);
            request.ask();
        }
    }

    private void proceed(Step next) {
        switch (next) {
            case ASK -> request.ask();
            case PAUSE -> pause();
            case END -> finished();
            case NOTHING -> {}
        }
    }

    private void refused(Throwable failure) {
        if (failure instanceof ClientClosedException) {
            beginClosing();
            return;
        }
        Step next;
        synchronized (this) {
            next = state.refused();
        }
        if (next == Step.PAUSE) {
            LogQueue.log(
                    Level.WARNING,
                    "candidate '" + label + "' of election '" + lock.name()
                            + "' could not ask for its lock, and asks again: " + failure.getMessage());
        }
        proceed(next);
    }

    private void elected(Lease lease) {
        Term begun = new Term(lease, client.engine::now);
        TermWork begins = null;
        List<CompletableFuture<Term>> woken = List.of();
        boolean leads;
        synchronized (this) {
            leads = state.granted(begun);
            if (leads) {
                listeners.add(new LeaderChange.Elected(begun));
                begins = work == null ? null : begin();
                woken = waiters.takeAll();
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
        Term of = requireNonNull(state.term());
        running = new TermWork(of, requireNonNull(work), failure -> worked(of, failure));
        return running;
    }

    private void start(@Nullable TermWork begun) {
        if (begun != null) {
            begun.start(client.engine.threads());
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
            leave(lost, false);
        }
    }

    /** False if there is no term. */
    boolean resign() {
        Term resigned;
        boolean working;
        synchronized (this) {
            resigned = state.term();
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
    private record Leaving(CandidateDriver candidate, Term ended) implements Runnable {
        @Override
        public void run() {
            candidate.leave(ended, false);
        }
    }

    /** Ends the term, and tells the listeners; false if it has ended before. Called under the monitor. */
    private boolean ends(Term ending) {
        // This may find the loss, and an executor that runs tasks on the spot then ends the term in here.
        LeaseLostException loss = ending.lease().loss();
        if (!state.ends(ending)) {
            return false;
        }
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
            failed &= !state.closed();
        }
        listeners.deliver();
        if (failed) {
            LogQueue.log(
                    Level.WARNING,
                    "the work of candidate '" + label + "' of election '" + lock.name()
                            + "' failed, and is tried again",
                    failure);
        }
        leave(of, failed);
    }

    /** Hands the lock over, and goes to the end of the queue. */
    private void leave(Term ended, boolean workFailed) {
        ended.lease().giveBackAsync().whenComplete((released, none) -> {
            Step next;
            synchronized (this) {
                next = state.released(workFailed);
            }
            proceed(next);
        });
    }

    private void pause() {
        if (!pauses.begin()) {
            beginClosing();
            finished();
        }
    }

    private void paused() {
        Step next;
        synchronized (this) {
            next = state.pauseOver();
        }
        if (next == Step.ASK) {
            client.engine.threads().callbacks.execute(request::ask);
        }
    }

    /** Resigns, and leaves the queue; waits for nothing. */
    void beginClosing() {
        StackReserve.require();
        List<CompletableFuture<Term>> failed;
        Term ended = null;
        boolean working;
        Step next;
        synchronized (this) {
            if (state.closed()) {
                return;
            }
            next = state.closes();
            // Also work that has resigned itself, and was not interrupted.
            working = interruptWork();
            Term now = state.term();
            if (now != null && ends(now)) {
                ended = now;
            }
            failed = waiters.takeAll();
        }
        failed.forEach(waiter -> waiter.completeExceptionally(closedException()));
        pauses.end();
        request.withdraw();
        if (ended != null) {
            stopped(ended, working);
        }
        proceed(next);
    }

    private void finished() {
        client.elections.remove(this);
        done.complete(null);
    }

    /** Null if the candidate does not lead. The term may have ended by its deadline. */
    @Nullable
    Term term() {
        return state.term();
    }

    /** The waiter gets the next term, or fails at the close. */
    synchronized void add(CompletableFuture<Term> waiter) {
        requireOpen();
        Term now = state.term();
        if (now != null && !now.ended()) {
            waiter.complete(now);
        } else {
            waiters.add(waiter);
        }
    }

    synchronized void remove(CompletableFuture<Term> waiter) {
        waiters.remove(waiter);
    }

    /** Registers a listener, which receives the present term first. */
    synchronized ChangeListeners.Listener register(Executor executor, Consumer<LeaderChange> consumer) {
        ChangeListeners.Listener registered = listeners.register(executor, consumer);
        Term now = state.term();
        if (now != null) {
            registered.add(new LeaderChange.Elected(now));
        }
        return registered;
    }

    /** Called under the monitor. Throws if the candidate or its client was closed. */
    private void requireOpen() {
        if (state.closed() || client.engine.closing()) {
            throw closedException();
        }
    }

    ClientClosedException closedException() {
        return client.engine.closing()
                ? client.closedException(lock.lockName())
                : new ClientClosedException("election '" + lock.name() + "' was closed", lock.name());
    }

    /** True if the work, or a listener on the spot, makes the present call: a close that waited for it would wait for itself. */
    boolean callsThis() {
        TermWork working;
        synchronized (this) {
            working = running;
        }
        return (working != null && working.isOnThisThread()) || listeners.deliveredOnThisThread();
    }

    synchronized boolean works() {
        return running != null;
    }
}
