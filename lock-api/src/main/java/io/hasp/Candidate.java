package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import io.hasp.engine.threads.Nanos;
import io.hasp.spi.LogQueue;
import io.hasp.spi.StackReserve;
import io.hasp.spi.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One candidate of one client: checks the calls of the program, and blocks for it. {@link CandidateDriver} does the rest. */
final class Candidate implements LeaderElection {
    private final ClientContext client;
    private final String name;
    private final String label;
    private final CandidateDriver driver;

    Candidate(ClientContext client, DistributedLock lock, ElectionOptions options, String label) {
        this.client = client;
        this.name = lock.name();
        this.label = label;
        this.driver = new CandidateDriver(client, lock, options.pause(), label);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public void run(TermAction action) {
        required("the work", action);
        StackReserve.require();
        if (!driver.begin(action)) {
            throw InvalidArgumentException.ofLock(
                    name, "election '" + name + "' has its work already: run was called before");
        }
        join();
    }

    @Override
    public void join() {
        StackReserve.require();
        driver.join();
    }

    @Override
    public Optional<Term> await(Duration wait) throws InterruptedException {
        long nanos = Nanos.of(Durations.wait(wait));
        join();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<Term> elected = new CompletableFuture<>();
        driver.add(elected);
        try {
            return nanos == 0 ? Optional.ofNullable(elected.getNow(null)) : await(elected, wait, nanos);
        } finally {
            driver.remove(elected);
        }
    }

    private Optional<Term> await(CompletableFuture<Term> elected, Duration wait, long nanos)
            throws InterruptedException {
        CompletableFuture<Optional<Term>> result =
                elected.thenApply(Optional::of).exceptionally(failure -> Optional.empty());
        Timing.Timer timer = nanos == Nanos.FOREVER ? () -> {} : after(wait, () -> result.complete(Optional.empty()));
        try {
            Optional<Term> found = result.get();
            if (elected.isCompletedExceptionally()) {
                throw driver.closedException();
            }
            return found;
        } catch (ExecutionException e) {
            throw new AssertionError("completed normally only", e);
        } finally {
            timer.cancel();
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
        Term now = driver.term();
        return now == null || now.ended() ? Optional.empty() : Optional.of(now);
    }

    @Override
    public Registration onChange(Executor executor, Consumer<LeaderChange> listener) {
        required("the listener", listener);
        required("the executor", executor);
        ChangeListeners.Listener registered = driver.register(executor, listener);
        registered.start();
        return registered;
    }

    @Override
    public boolean resign() {
        StackReserve.require();
        return driver.resign();
    }

    @Override
    public void close() {
        beginClosing();
        if (!driver.callsThis()) {
            awaitEnd(Nanos.of(client.options.closeWithin()));
        }
    }

    /** Resigns, and leaves the queue; waits for nothing. */
    void beginClosing() {
        driver.beginClosing();
    }

    /** Returns true if it was closed, and nothing of it is left to do. */
    boolean ended() {
        return driver.done.isDone();
    }

    private void awaitEnd(long longest) {
        boolean interrupted = false;
        long begun = System.nanoTime();
        try {
            while (true) {
                try {
                    driver.done.get(Math.max(0, longest - (System.nanoTime() - begun)), TimeUnit.NANOSECONDS);
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

    private String notEnded() {
        String closedAndIts = "election '" + name + "' is closed, and the ";
        return driver.works()
                ? closedAndIts + "work of its candidate '" + label
                        + "' goes on: its lock is not given back before the work ends"
                : closedAndIts + "release of its candidate '" + label
                        + "' is not confirmed: its lock ends with its lease or session at the latest";
    }

    /** Names the election, the candidate and its term, for logs. */
    @Override
    public String toString() {
        return "LeaderElection[" + name + ", " + label
                + term().map(now -> ", leads with " + LockEvents.token(now.fencingToken()))
                        .orElse("") + "]";
    }
}
