package io.hasp;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.SeveralCaller;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.threads.Failures;
import io.hasp.spi.LockName;
import io.hasp.spi.StackReserve;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks for {@link MultiLock}: begins the acquisition, waits for it or completes a future with it, and turns its end into
 * a lease or an exception. Thread-safe.
 */
final class MultiAcquirer {
    private final ClientContext client;
    /** In their canonical order. */
    private final List<DistributedLock> locks;

    private final boolean interrupts;

    /**
     * Reserves of stack at the entrance of an acquisition: each lock checks for one of them after others were requested, and the release at
     * the end of work for two.
     */
    private static final int RESERVES = 3;

    MultiAcquirer(ClientContext client, List<DistributedLock> locks) {
        this.client = client;
        this.locks = locks;
        this.interrupts = locks.stream().anyMatch(lock -> client.onLoss(lock.options()) == OnLoss.INTERRUPT);
    }

    /**
     * Blocks until there is an outcome.
     *
     * @param wait for all locks, in nanoseconds; zero for a single attempt
     * @return empty if others hold a lock
     */
    Optional<MultiLease> await(long wait, boolean interruptibly) throws InterruptedException {
        boolean entered = client.engine.threads().enterUser();
        try {
            return awaited(wait, interruptibly);
        } finally {
            client.events.deliverWaiting();
            client.engine.threads().leaveUser(entered);
        }
    }

    private Optional<MultiLease> awaited(long wait, boolean interruptibly) throws InterruptedException {
        if (interruptibly && Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (client.engine.closing()) {
            throw client.closedException(locks.get(0).lockName());
        }
        StackReserve.requireTimes(RESERVES);
        List<StackTraceElement> place = client.handles.samplePlace();
        FlightRecording.@Nullable AcquireSpan span = FlightRecording.acquire();
        FlightRecording.@Nullable WaitSpan waiting = FlightRecording.waiting();
        SeveralCaller caller = client.engine.severalCaller();
        MultiAcquisition acquisition = new MultiAcquisition(client.engine, locks, wait, caller, caller);
        boolean done = false;
        try {
            acquisition.begin();
            caller.runUntil(acquisition.result, interruptibly, () -> rest(acquisition, waiting), () -> {});
            MultiAcquisition.End end = acquisition.result.join();
            record(span, end);
            Optional<MultiLease> lease = lease(end, place, Thread.currentThread());
            done = true;
            return lease;
        } catch (CompletionException e) {
            throw unchecked(e.getCause());
        } catch (BackendException | ClientClosedException | LeaseLostException e) {
            done = true;
            // The exception was made in the engine; the caller's own stack helps more.
            e.fillInStackTrace();
            throw e;
        } finally {
            if (!done) {
                acquisition.abandonNow();
            }
            caller.leave();
            if (waiting != null) {
                waiting.end(joined());
            }
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException broken ? broken : new IllegalStateException(cause);
    }

    private void rest(MultiAcquisition acquisition, FlightRecording.@Nullable WaitSpan waiting) {
        acquisition.help();
        HeldLease blockedBy = acquisition.blockedBy();
        if (waiting != null && acquisition.waits()) {
            waiting.begin(blockedBy != null);
        }
        client.handles.waits(blockedBy);
    }

    private void record(FlightRecording.@Nullable AcquireSpan span, MultiAcquisition.End end) {
        if (span != null) {
            span.endAll(joined(), end.acquired(), end.outcome());
        }
    }

    /** Returns the names for a recording, which has one event for all locks. */
    private String joined() {
        return locks.stream().map(DistributedLock::name).collect(Collectors.joining(", "));
    }

    /** Returns a lease, empty if others hold a lock, or throws. */
    private Optional<MultiLease> lease(
            MultiAcquisition.End end, List<StackTraceElement> place, @Nullable Thread holder) {
        DistributedLock decisive = end.lock();
        if (decisive == null) {
            return Optional.of(given(end.leases(), place, holder));
        }
        Outcome outcome = end.outcome();
        if (outcome instanceof Outcome.Contended) {
            return Optional.empty();
        }
        throw outcome == null ? lost(end.leases().get(0)) : decisive.acquirer.failure(outcome);
    }

    private MultiLease given(List<LeaseControl> controls, List<StackTraceElement> place, @Nullable Thread holder) {
        LossTasks tasks = interrupts ? new LossTasks() : null;
        List<Lease> parts = controls.stream()
                .map(control -> {
                    Lease part = new Lease(client, control, tasks);
                    client.handles.given(part, control, tasks, place, holder);
                    return part;
                })
                .toList();
        return new MultiLease(client, parts, tasks);
    }

    private static LeaseLostException lost(LeaseControl lease) {
        LockName name = lease.lockName();
        long token = lease.lease().token();
        return new LeaseLostException(
                LockEvents.lease(name, token) + " was lost before all other locks were acquired: " + lease.loss(),
                name.value(),
                token);
    }

    /**
     * Completes a future with the outcome, on a thread of the engine.
     *
     * @param wait for all locks, in nanoseconds; zero for a single attempt
     * @param view maps the lease, or none, to the result
     */
    <T> CompletableFuture<T> async(long wait, Function<Optional<MultiLease>, T> view) {
        boolean entered = client.engine.threads().enterUser();
        try {
            return begun(wait, view);
        } finally {
            client.engine.threads().leaveUser(entered);
        }
    }

    private <T> CompletableFuture<T> begun(long wait, Function<Optional<MultiLease>, T> view) {
        if (client.engine.closing()) {
            return CompletableFuture.failedFuture(
                    client.closedException(locks.get(0).lockName()));
        }
        StackReserve.requireTimes(RESERVES);
        List<StackTraceElement> place = client.handles.samplePlace();
        FlightRecording.@Nullable AcquireSpan span = FlightRecording.acquire();
        StepQueue steps = new StepQueue(client.engine.threads().effects);
        MultiAcquisition acquisition = new MultiAcquisition(client.engine, locks, wait, client.engine.pool(), steps);
        CompletableFuture<T> promise = new AcquisitionFuture<>();
        acquisition.result.thenAccept(end -> record(span, end));
        acquisition.result.whenComplete((end, thrown) ->
                client.engine.threads().callbacks.execute(() -> complete(promise, acquisition, place, view)));
        promise.whenComplete((value, thrown) -> {
            if (!acquisition.result.isDone() || promise.isCancelled()) {
                // Cancelled, timed out or completed by the caller. Leases may be on their way.
                acquisition.abandon();
            }
        });
        steps.executeHere(acquisition::begin);
        return promise;
    }

    /** Releases the locks if the caller has completed the promise in another way. */
    private <T> void complete(
            CompletableFuture<T> promise,
            MultiAcquisition acquisition,
            List<StackTraceElement> place,
            Function<Optional<MultiLease>, T> view) {
        try {
            Optional<MultiLease> lease = lease(acquisition.result.join(), place, null);
            if (lease.isEmpty()) {
                promise.complete(view.apply(lease));
                return;
            }
            MultiLease given = lease.get();
            T value = view.apply(lease);
            given.beginning(() -> {
                if (!promise.complete(value)) {
                    given.giveBackAsync();
                }
            });
        } catch (BackendException | ClientClosedException | LeaseLostException | CancellationException failure) {
            promise.completeExceptionally(LockException.withoutTrace(failure));
        } catch (Throwable broken) {
            promise.completeExceptionally(Failures.causeOf(broken));
            acquisition.abandon();
        }
    }
}
