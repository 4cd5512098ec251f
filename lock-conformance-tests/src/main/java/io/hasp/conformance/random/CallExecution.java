package io.hasp.conformance.random;

import io.hasp.BackendException;
import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockCapabilities;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.random.PlannedCall.Call;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One planned call of one thread: the call, the hold and its end, all written down. What it throws is what the call threw. */
final class CallExecution {
    private final RandomRun run;
    private final PlannedCall planned;
    private final ClientSlot slot;
    private final ClientSlot.Opened client;
    private final String thread;
    /** Connecting is not what is to be interrupted. */
    private final ClientSlot.@Nullable Opened next;

    CallExecution(RandomRun run, PlannedCall planned, ClientSlot slot, String thread) {
        this.run = run;
        this.planned = planned;
        this.slot = slot;
        this.client = slot.current();
        this.thread = thread;
        this.next = planned.call() == Call.CLOSE ? slot.open() : null;
    }

    ClientSlot.Opened client() {
        return client;
    }

    /** Thrown by the work under a lock. */
    private static final class WorkFailedException extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** The caller withdrew its call, as planned. */
    private static final class WithdrawnException extends Exception {
        private static final long serialVersionUID = 1;

        private WithdrawnException(String how) {
            super(how);
        }
    }

    private interface Acquisition {
        Optional<Lease> run() throws Exception;
    }

    void run(CallLog.Entry entry) throws Exception {
        if (planned.call() == Call.CLOSE) {
            slot.replace(Objects.requireNonNull(next));
            entry.note("closed");
            return;
        }
        LockMode mode = planned.mode().mode();
        ObservedHold observed = new ObservedHold(AskedCall.of(run, planned, client, thread, entry), mode);
        DistributedLock lock = HaspSubject.lock(client.client, run.lock(planned.lock()), mode, planned.options());
        try {
            make(lock, observed);
        } catch (BackendException e) {
            if (e.kind() != BackendException.Kind.OTHER_KIND) {
                observed.failed(e);
                throw e;
            }
            observed.refused(e);
        } catch (WithdrawnException e) {
            observed.failed(e);
            entry.note(String.valueOf(e.getMessage()));
            run.count(String.valueOf(e.getMessage()));
        } catch (Exception | Error e) {
            observed.failed(e);
            throw e;
        }
    }

    private void make(DistributedLock lock, ObservedHold observed) throws Exception {
        switch (planned.call()) {
            case TRY -> leased(observed, lock::tryAcquire);
            case TRY_FOR -> leased(observed, () -> lock.tryAcquire(planned.patience()));
            case ACQUIRE -> leased(observed, () -> Optional.of(lock.acquire()));
            case ACQUIRE_ASYNC -> leased(observed, () -> Optional.of(patiently(lock.acquireAsync())));
            case ACQUIRE_OR_CANCEL -> leased(observed, () -> Optional.of(orCancel(lock.acquireAsync())));
            case ACQUIRE_OR_TIMEOUT -> leased(observed, () -> Optional.of(orTimeout(lock.acquireAsync())));
            case TRY_ASYNC -> leased(observed, () -> patiently(lock.tryAcquireAsync(planned.patience())));
            case LOCK, LOCK_INTERRUPTIBLY, TRY_LOCK, TRY_LOCK_FOR ->
                new ThreadOwnedExecution(run, planned, client.client, lock, observed).run();
            case CALL -> work(observed, () -> Optional.of(lock.call(lease -> worked(observed, lease))));
            case TRY_CALL ->
                work(
                        observed,
                        () -> lock.tryCall(planned.patience(), lease -> worked(observed, lease))
                                .toOptional());
            case CLOSE -> throw new AssertionError("no acquisition");
        }
    }

    private void leased(ObservedHold observed, Acquisition acquisition) throws Exception {
        Optional<Lease> lease = acquisition.run();
        if (lease.isEmpty()) {
            observed.refused();
            return;
        }
        observed.granted(lease.get());
        observed.hold(lease.get());
        if (planned.extend()) {
            extend(observed, lease.get());
        }
        if (planned.mode().less().isPresent()) {
            new LoweredExecution(run, planned, client.client, observed)
                    .run(lease.get(), planned.mode().less().get());
        } else {
            observed.end(lease.get());
        }
    }

    private void extend(ObservedHold observed, Lease lease) {
        long asked = System.nanoTime();
        try {
            lease.extend(planned.lease());
            long certain = lease.remaining().toNanos() + System.nanoTime() - asked;
            if (serverKeepsTime() && certain < planned.least().toNanos() && !client.closing()) {
                run.broken("extended by " + planned.lease() + ", the lease has " + lease.remaining() + " left: "
                        + words());
            }
            observed.note("extended");
        } catch (LeaseLostException e) {
            observed.judgeLoss("extend", e);
        } catch (InvalidArgumentException e) {
            run.broken("extend of a fixed lease was refused: " + words() + ": " + e);
        }
    }

    /** If a session keeps the lock, no lease is certain for longer than the session timeout. */
    private boolean serverKeepsTime() {
        return client.client.capabilities().enforcement() == LockCapabilities.Enforcement.LEASE;
    }

    private <T> T patiently(CompletableFuture<T> future) throws Exception {
        try {
            return future.get();
        } catch (InterruptedException e) {
            return unlessCancelled(future, e);
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    private <T> T orCancel(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(planned.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return unlessCancelled(future, new WithdrawnException("cancelled"));
        } catch (InterruptedException e) {
            return unlessCancelled(future, e);
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    /** Withdraws the call. A lease that came before is the caller's all the same. */
    private static <T> T unlessCancelled(CompletableFuture<T> future, Exception why) throws Exception {
        if (future.cancel(true)) {
            throw why;
        }
        if (why instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private <T> T orTimeout(CompletableFuture<T> future) throws Exception {
        try {
            return patiently(future.orTimeout(planned.patience().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            throw new WithdrawnException("timed out");
        }
    }

    private static Exception cause(ExecutionException failure) {
        return failure.getCause() instanceof Exception cause ? cause : failure;
    }

    private long worked(ObservedHold observed, Lease lease) throws WorkFailedException {
        observed.granted(lease);
        observed.hold(lease);
        observed.releasing();
        if (planned.again() > 0) {
            throw new WorkFailedException();
        }
        return lease.fencingToken();
    }

    private interface Work {
        Optional<Long> run() throws Exception;
    }

    private void work(ObservedHold observed, Work work) throws Exception {
        try {
            Optional<Long> token = work.run();
            if (token.isEmpty()) {
                observed.refused();
                return;
            }
            if (planned.again() > 0) {
                run.broken("work under the lock failed, and the call returned: " + words());
            }
        } catch (WorkFailedException e) {
            observed.note("its failure came through");
        } catch (LeaseLostException e) {
            observed.judgeLoss("call", e);
            return;
        }
        observed.released(true);
    }

    private String words() {
        return thread + " on " + client.name + ", " + planned.words();
    }
}
