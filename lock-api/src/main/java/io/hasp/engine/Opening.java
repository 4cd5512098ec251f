package io.hasp.engine;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Opens a backend for waiting callers, again after each end: one attempt at a time, and a pause after a failed attempt. Thread-safe. */
final class Opening {
    private static final long PAUSE = Duration.ofMillis(100).toNanos();

    private final BackendSource source;
    private final Duration commandTimeout;
    private final BackendContext context;
    private volatile @Nullable LockBackend opened;

    /** The result that callers wait for; null if no attempt is under way. */
    private @Nullable CompletableFuture<LockBackend> attempt;

    private @Nullable BackendFailure lastFailure;
    private long lastEnd;
    /** The thread of an attempt, for an interrupt. */
    private @Nullable Thread thread;

    private boolean closed;

    /** An opening with a backend that is open already, or null. */
    Opening(BackendSource source, Duration commandTimeout, BackendContext context, @Nullable LockBackend opened) {
        this.source = source;
        this.opened = opened;
        this.commandTimeout = commandTimeout;
        this.context = context;
    }

    /** The open backend; null if there is none. */
    @Nullable
    LockBackend opened() {
        return opened;
    }

    /**
     * Returns the backend to one caller. Fails with a {@link BackendFailure} after the command timeout, or earlier if the attempt fails.
     */
    CompletableFuture<LockBackend> await() {
        CompletableFuture<LockBackend> current = current();
        if (current.isDone()) {
            return current.copy();
        }
        CompletableFuture<LockBackend> waiting = current.copy();
        try {
            Timing.Timer timer =
                    context.timing().schedule(commandTimeout, () -> waiting.completeExceptionally(tooLate()));
            waiting.whenComplete((backend, failure) -> timer.cancel());
        } catch (RejectedExecutionException e) {
            waiting.completeExceptionally(closedAlready());
        }
        return waiting;
    }

    private CompletableFuture<LockBackend> current() {
        CompletableFuture<LockBackend> started;
        long rest;
        synchronized (this) {
            LockBackend present = opened;
            if (closed) {
                return CompletableFuture.failedFuture(closedAlready());
            }
            if (present != null) {
                return CompletableFuture.completedFuture(present);
            }
            CompletableFuture<LockBackend> underWay = attempt;
            if (underWay != null) {
                return underWay;
            }
            started = new CompletableFuture<>();
            attempt = started;
            rest = lastFailure == null ? 0 : lastEnd + PAUSE - context.timing().nanoTime();
        }
        // An executor may run the attempt here, and others must not wait for its end.
        start(started, rest);
        return started;
    }

    private void start(CompletableFuture<LockBackend> started, long rest) {
        if (rest <= 0) {
            handOver(started);
            return;
        }
        try {
            context.timing().schedule(Duration.ofNanos(rest), () -> handOver(started));
        } catch (RejectedExecutionException e) {
            end(started, null, e);
        }
    }

    private void handOver(CompletableFuture<LockBackend> started) {
        try {
            context.executor().execute(() -> open(started));
        } catch (Throwable noThread) {
            end(started, null, noThread);
        }
    }

    private void open(CompletableFuture<LockBackend> started) {
        if (!begin()) {
            return;
        }
        try {
            LockBackend backend = source.open(context);
            if (!end(started, backend, null)) {
                backend.close();
            }
        } catch (Throwable broken) {
            end(started, null, broken);
        }
    }

    private synchronized boolean begin() {
        thread = closed ? null : Thread.currentThread();
        return !closed;
    }

    private boolean end(
            CompletableFuture<LockBackend> started, @Nullable LockBackend backend, @Nullable Throwable broken) {
        BackendFailure failure = broken == null ? null : notOpened(broken);
        synchronized (this) {
            if (closed && thread == Thread.currentThread()) {
                // It is of close(), and not for the owner of the thread.
                Thread.interrupted();
            }
            thread = null;
            attempt = null;
            lastFailure = failure;
            lastEnd = context.timing().nanoTime();
            if (closed) {
                return false;
            }
            opened = backend;
        }
        if (failure != null) {
            started.completeExceptionally(failure);
        } else if (backend != null) {
            started.complete(backend);
        }
        return true;
    }

    /** The request was certainly not sent, as before the first connection. */
    private static BackendFailure notOpened(Throwable broken) {
        if (broken instanceof BackendFailure failure) {
            return new BackendFailure(
                    failure.kind(), Outcome.NOT_APPLIED, "not connected yet: " + failure.getMessage(), failure);
        }
        boolean refused = broken instanceof RuntimeException && !(broken instanceof RejectedExecutionException);
        return new BackendFailure(
                refused || broken instanceof LinkageError ? Kind.INCOMPATIBLE : Kind.UNAVAILABLE,
                Outcome.NOT_APPLIED,
                "not connected yet: " + (refused ? broken.getMessage() : broken.toString()),
                broken);
    }

    private synchronized BackendFailure tooLate() {
        BackendFailure last = lastFailure;
        return new BackendFailure(
                Kind.UNAVAILABLE,
                Outcome.NOT_APPLIED,
                (last == null ? "not connected yet" : last.getMessage()) + "; now no connection within "
                        + commandTimeout,
                last);
    }

    private static BackendFailure closedAlready() {
        return new BackendFailure(
                Kind.UNAVAILABLE, Outcome.NOT_APPLIED, "the client was closed before it was connected", null);
    }

    /** True if it is closed and nothing is open. */
    synchronized boolean stopped() {
        return closed && opened == null;
    }

    /** Ends an attempt that is under way; without effect on an open backend. */
    void stop() {
        CompletableFuture<LockBackend> waitedFor;
        synchronized (this) {
            if (opened != null) {
                return;
            }
            closed = true;
            waitedFor = attempt;
            Thread working = thread;
            if (working != null) {
                working.interrupt();
            }
        }
        if (waitedFor != null) {
            waitedFor.completeExceptionally(closedAlready());
        }
    }

    /**
     * Ends the open backend, so that the next caller opens another one. Without effect while it is of use, and on an attempt that is under
     * way. A caller that finds nothing open waits here until the decision.
     *
     * @param unused called when no further caller can find the open backend
     * @return true if nothing is open
     */
    boolean disconnect(BooleanSupplier unused) {
        LockBackend backend;
        synchronized (this) {
            if (closed || attempt != null) {
                return false;
            }
            backend = opened;
            opened = null;
            if (!unused.getAsBoolean()) {
                opened = backend;
                return false;
            }
        }
        if (backend != null) {
            backend.close();
        }
        return true;
    }

    /** Ends the open backend, or an attempt that is under way. */
    void close() {
        stop();
        LockBackend backend;
        synchronized (this) {
            closed = true;
            backend = opened;
        }
        if (backend != null) {
            backend.close();
        }
    }
}
