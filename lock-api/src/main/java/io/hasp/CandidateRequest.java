package io.hasp;

import io.hasp.engine.threads.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The request of one candidate for its lock: one at a time, and none after it was withdrawn. Thread-safe. */
final class CandidateRequest {
    private final DistributedLock lock;
    private final Consumer<Lease> granted;
    private final Consumer<Throwable> refused;
    private final Runnable gone;
    private @Nullable CompletableFuture<Lease> asked;
    private boolean withdrawn;

    /**
     * Creates it, and asks for nothing yet.
     *
     * @param granted receives the lease, also one that is granted after the request was withdrawn
     * @param refused receives the failure of a request
     * @param gone runs when a request was withdrawn, and nothing will be granted
     */
    CandidateRequest(DistributedLock lock, Consumer<Lease> granted, Consumer<Throwable> refused, Runnable gone) {
        this.lock = lock;
        this.granted = granted;
        this.refused = refused;
        this.gone = gone;
    }

    /** Asks for the lock; its answer comes on a thread of the engine. */
    void ask() {
        CompletableFuture<Lease> asking;
        try {
            asking = lock.acquireAsync();
        } catch (RuntimeException | Error e) {
            asking = CompletableFuture.failedFuture(e);
        }
        boolean tooLate;
        synchronized (this) {
            asked = asking;
            tooLate = withdrawn;
        }
        asking.whenComplete(this::answered);
        if (tooLate) {
            withdraw(asking);
        }
    }

    private void answered(@Nullable Lease lease, @Nullable Throwable failure) {
        if (lease != null) {
            granted.accept(lease);
        } else if (failure != null) {
            refused.accept(Failures.causeOf(failure));
        }
    }

    void withdraw() {
        CompletableFuture<Lease> latest;
        synchronized (this) {
            withdrawn = true;
            latest = asked;
        }
        if (latest != null) {
            withdraw(latest);
        }
    }

    /** If the lock was granted before, its release is awaited. */
    private void withdraw(CompletableFuture<Lease> asking) {
        if (asking.cancel(false) || asking.isCompletedExceptionally()) {
            gone.run();
        }
    }
}
