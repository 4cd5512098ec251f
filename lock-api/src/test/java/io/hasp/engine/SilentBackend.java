package io.hasp.engine;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A server that answers nothing in time, but may grant the lock. */
final class SilentBackend implements LockBackend {
    final CompletableFuture<List<Renewal>> renewal = new CompletableFuture<>();
    boolean grants;

    @Nullable
    SignalListener listener;

    int requests;

    @Override
    public Capabilities capabilities() {
        return Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.SESSION);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        requests++;
        listener = signals;
        return grants
                ? CompletableFuture.completedFuture(new Attempt.Granted(Grant.of(claim, 1, OneLockBackend.LEASE)))
                : silence();
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return renewal;
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return silence();
    }

    private static <T> CompletionStage<T> silence() {
        return CompletableFuture.failedFuture(new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer in time", null));
    }

    @Override
    public void close() {}
}
