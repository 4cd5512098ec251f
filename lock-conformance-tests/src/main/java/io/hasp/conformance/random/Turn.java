package io.hasp.conformance.random;

import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockCapabilities;
import io.hasp.conformance.history.AttemptLog;
import io.hasp.conformance.random.Step.Call;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One step of one thread: the call, the hold and its end, all written down. What it throws is what the call threw. */
final class Turn {
    private final Run run;
    private final Step step;
    private final ClientSlot slot;
    private final ClientSlot.Opened client;
    private final String thread;
    /** Connecting is not what is to be interrupted. */
    private final ClientSlot.@Nullable Opened next;

    Turn(Run run, Step step, ClientSlot slot, String thread) {
        this.run = run;
        this.step = step;
        this.slot = slot;
        this.client = slot.current();
        this.thread = thread;
        this.next = step.call() == Call.CLOSE ? slot.open() : null;
    }

    ClientSlot.Opened client() {
        return client;
    }

    /** What work under a lock throws. */
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

    void run(Journal.Entry entry) throws Exception {
        if (step.call() == Call.CLOSE) {
            slot.replace(Objects.requireNonNull(next));
            entry.note("closed");
            return;
        }
        long asked = System.nanoTime();
        AttemptLog log = run.log.acquiring(client.name + "/" + thread, run.lock(step.lock()));
        Holding holding = new Holding(run, step, client, entry, log, asked);
        DistributedLock lock = client.client.lock(run.lock(step.lock()), step.options());
        try {
            make(lock, holding);
        } catch (WithdrawnException e) {
            holding.failed(e);
            entry.note(String.valueOf(e.getMessage()));
            run.count(String.valueOf(e.getMessage()));
        } catch (Exception | Error e) {
            holding.failed(e);
            throw e;
        }
    }

    private void make(DistributedLock lock, Holding holding) throws Exception {
        switch (step.call()) {
            case TRY -> leased(holding, lock::tryAcquire);
            case TRY_FOR -> leased(holding, () -> lock.tryAcquire(step.patience()));
            case ACQUIRE -> leased(holding, () -> Optional.of(lock.acquire()));
            case ACQUIRE_ASYNC -> leased(holding, () -> Optional.of(patiently(lock.acquireAsync())));
            case ACQUIRE_OR_CANCEL -> leased(holding, () -> Optional.of(orCancel(lock.acquireAsync())));
            case ACQUIRE_OR_TIMEOUT -> leased(holding, () -> Optional.of(orTimeout(lock.acquireAsync())));
            case TRY_ASYNC -> leased(holding, () -> patiently(lock.tryAcquireAsync(step.patience())));
            case LOCK, LOCK_INTERRUPTIBLY, TRY_LOCK, TRY_LOCK_FOR ->
                new ThreadOwnedTurn(run, step, lock, holding).run();
            case CALL -> work(holding, () -> Optional.of(lock.call(lease -> worked(holding, lease))));
            case TRY_CALL -> work(holding, () -> lock.tryCall(step.patience(), lease -> worked(holding, lease)));
            case CLOSE -> throw new AssertionError("no acquisition");
        }
    }

    private void leased(Holding holding, Acquisition acquisition) throws Exception {
        Optional<Lease> lease = acquisition.run();
        if (lease.isEmpty()) {
            holding.refused();
            return;
        }
        holding.granted(lease.get());
        holding.hold(lease.get());
        if (step.extend()) {
            extend(holding, lease.get());
        }
        holding.end(lease.get());
    }

    private void extend(Holding holding, Lease lease) {
        long asked = System.nanoTime();
        try {
            lease.extend(step.lease());
            long certain = lease.remaining().toNanos() + System.nanoTime() - asked;
            if (serverKeepsTime() && certain < step.least().toNanos() && !client.closing()) {
                run.broken(
                        "extended by " + step.lease() + ", the lease has " + lease.remaining() + " left: " + words());
            }
            holding.note("extended");
        } catch (LeaseLostException e) {
            holding.judgeLoss("extend", e);
        } catch (InvalidArgumentException e) {
            run.broken("extend of a fixed lease was refused: " + words() + ": " + e);
        }
    }

    /** Where a session keeps the lock, no lease is certain for longer than that. */
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
            return future.get(step.patience().toNanos(), TimeUnit.NANOSECONDS);
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
            return patiently(future.orTimeout(step.patience().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            throw new WithdrawnException("timed out");
        }
    }

    private static Exception cause(ExecutionException failure) {
        return failure.getCause() instanceof Exception cause ? cause : failure;
    }

    private long worked(Holding holding, Lease lease) throws WorkFailedException {
        holding.granted(lease);
        holding.hold(lease);
        holding.releasing();
        if (step.again() > 0) {
            throw new WorkFailedException();
        }
        return lease.fencingToken();
    }

    private interface Work {
        Optional<Long> run() throws Exception;
    }

    private void work(Holding holding, Work work) throws Exception {
        try {
            Optional<Long> token = work.run();
            if (token.isEmpty()) {
                holding.refused();
                return;
            }
            if (step.again() > 0) {
                run.broken("work under the lock failed, and the call returned: " + words());
            }
        } catch (WorkFailedException e) {
            holding.note("its failure came through");
        } catch (LeaseLostException e) {
            holding.judgeLoss("call", e);
            return;
        }
        holding.released(true);
    }

    private String words() {
        return thread + " on " + client.name + ", " + step.words();
    }
}
