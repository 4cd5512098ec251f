package io.hasp;

import io.hasp.engine.Acquisition;
import io.hasp.engine.LeaseControl;
import io.hasp.engine.WaitingCaller;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.threads.EngineClosedException;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires one lock for {@link DistributedLock}: begins the acquisition in the engine, waits for it or completes a future with it, and
 * turns its outcome into a lease or an exception. Thread-safe.
 */
final class Acquirer {
    private final ClientContext client;
    private final LockName name;
    private final LockOptions options;
    private final LeaseTerms terms;

    Acquirer(ClientContext client, LockName name, LockOptions options, LeaseTerms terms) {
        this.client = client;
        this.name = name;
        this.options = options;
        this.terms = terms;
    }

    /**
     * Blocks until there is an outcome.
     *
     * @param wait in nanoseconds; zero for a single attempt
     * @return empty if others hold the lock
     */
    Optional<Lease> await(long wait, boolean interruptibly) throws InterruptedException {
        boolean entered = client.engine.threads().enterUser();
        try {
            return awaited(wait, interruptibly);
        } finally {
            client.events.deliverWaiting();
            client.engine.threads().leaveUser(entered);
        }
    }

    private Optional<Lease> awaited(long wait, boolean interruptibly) throws InterruptedException {
        if (interruptibly && Thread.interrupted()) {
            throw new InterruptedException();
        }
        requireOpen();
        List<StackTraceElement> place = client.handles.samplePlace();
        FlightRecording.@Nullable AcquireSpan span = FlightRecording.acquire();
        FlightRecording.@Nullable WaitSpan waiting = FlightRecording.waiting();
        WaitingCaller executor = new WaitingCaller();
        Acquisition acquisition = client.engine.acquire(name, terms, wait, executor);
        boolean ended = false;
        try {
            try {
                acquisition.await(executor, interruptibly, () -> rest(acquisition, waiting));
            } finally {
                if (waiting != null) {
                    waiting.end(name.value());
                }
            }
            executor.leave();
            Outcome outcome = outcome(acquisition.result());
            if (span != null) {
                span.end(name, outcome);
            }
            Optional<Lease> lease = lease(acquisition, outcome, place, Thread.currentThread());
            ended = true;
            return lease;
        } catch (BackendException | ClientClosedException e) {
            ended = true;
            // The exception was made in the engine; the caller's own stack helps more.
            e.fillInStackTrace();
            throw e;
        } finally {
            if (!ended) {
                // Interrupted or broken: no other thread would send its requests or release its lease.
                acquisition.abandon();
            }
        }
    }

    private void rest(Acquisition acquisition, FlightRecording.@Nullable WaitSpan waiting) {
        HeldLease blockedBy = acquisition.blockedBy();
        if (waiting != null) {
            waiting.begin(blockedBy != null);
        }
        client.handles.waits(blockedBy);
        acquisition.sleep();
    }

    private void requireOpen() {
        if (client.engine.closing()) {
            throw client.closedException(name);
        }
    }

    /** Returns a lease, empty if others hold the lock, or throws. */
    Optional<Lease> lease(
            Acquisition acquisition, Outcome outcome, List<StackTraceElement> place, @Nullable Thread holder) {
        if (outcome instanceof Outcome.Acquired acquired) {
            LeaseControl control = acquisition.lease(acquired);
            Lease lease = new Lease(client, control, client.onLoss(options));
            client.handles.given(lease, control, lease.lossTasks(), place, holder);
            return Optional.of(lease);
        }
        if (outcome instanceof Outcome.Contended) {
            return Optional.empty();
        }
        throw failure(outcome);
    }

    /** Translates an outcome without a lease. */
    RuntimeException failure(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return ClientContext.failed("could not lock '" + name + "'" + share(), failed.failure(), name);
        }
        return outcome instanceof Outcome.Closed
                ? client.closedException(name)
                : new CancellationException("cancelled");
    }

    /** Describes the share, for messages; empty for an exclusive lock. */
    String share() {
        Share share = terms.share();
        if (share.isExclusive()) {
            return "";
        } else if (share.capacity() == Share.READ_WRITE) {
            return share.equals(Share.READ) ? " for reading" : " for writing";
        }
        return " (" + share.weight() + " of " + share.capacity() + " permits)";
    }

    private static Outcome outcome(CompletableFuture<Outcome> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof EngineClosedException) {
                return Outcome.CLOSED;
            }
            throw e;
        }
    }

    /**
     * Completes a future with the outcome, on a thread of the engine.
     *
     * @param wait in nanoseconds; zero for a single attempt
     * @param view maps the lease, or none, to the result
     */
    <T> CompletableFuture<T> async(long wait, Function<Optional<Lease>, T> view) {
        boolean entered = client.engine.threads().enterUser();
        try {
            return begun(wait, view);
        } finally {
            client.engine.threads().leaveUser(entered);
        }
    }

    private <T> CompletableFuture<T> begun(long wait, Function<Optional<Lease>, T> view) {
        if (client.engine.closing()) {
            return CompletableFuture.failedFuture(client.closedException(name));
        }
        List<StackTraceElement> place = client.handles.samplePlace();
        FlightRecording.@Nullable AcquireSpan span = FlightRecording.acquire();
        CompletableFuture<T> promise = new AcquisitionFuture<>();
        Acquisition acquisition = client.engine.acquire(name, terms, wait, client.engine.pool());
        if (span != null) {
            acquisition.result().thenAccept(outcome -> span.end(name, outcome));
        }
        try {
            Runnable outcome = () -> complete(promise, acquisition, place, view);
            acquisition
                    .result()
                    .whenComplete(
                            (any, thrown) -> client.engine.threads().callbacks.execute(outcome));
            promise.whenComplete((value, thrown) -> {
                if (!acquisition.result().isDone() || promise.isCancelled()) {
                    // Cancelled, timed out or completed by the caller. A lease may be on its way.
                    acquisition.abandon();
                }
            });
            acquisition.awaitElsewhere();
        } catch (RuntimeException | Error broken) {
            acquisition.abandon();
            throw broken;
        }
        return promise;
    }

    /** Releases the lease if the caller has completed the promise in another way. */
    private <T> void complete(
            CompletableFuture<T> promise,
            Acquisition acquisition,
            List<StackTraceElement> place,
            Function<Optional<Lease>, T> view) {
        try {
            Optional<Lease> lease = lease(acquisition, outcome(acquisition.result()), place, null);
            complete(promise, view.apply(lease), lease);
        } catch (BackendException | ClientClosedException | CancellationException failure) {
            promise.completeExceptionally(LockException.withoutTrace(failure));
        } catch (Throwable broken) {
            promise.completeExceptionally(broken);
            acquisition.abandon();
        }
    }

    /** Counts the promise's own callbacks as work under the lease. */
    private static <T> void complete(CompletableFuture<T> promise, T value, Optional<Lease> lease) {
        if (lease.isEmpty()) {
            promise.complete(value);
            return;
        }
        lease.get().beginning(() -> {
            if (!promise.complete(value)) {
                lease.get().releaseAsync();
            }
        });
    }
}
