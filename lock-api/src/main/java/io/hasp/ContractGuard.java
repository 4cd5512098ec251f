package io.hasp;

import io.hasp.spi.Attempt;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A backend as the engine sees it: whatever it throws is a failed stage, and so is an answer that does not fit the question.
 * Without this a backend's bug (or a class that it misses) would end the step that was to wake the next contender, and with
 * it the queue, or the watchdog.
 */
record ContractGuard(LockBackend backend) implements LockBackend {

    @Override
    public Capabilities capabilities() {
        return backend.capabilities();
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return backend.tokenFloor().map(floor -> (name, least) -> guarded(() -> floor.raise(name, least)));
    }

    @Override
    public Duration blocksFor() {
        return backend.blocksFor();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return guarded(() -> backend.acquire(claim, signals));
    }

    @Override
    public CompletionStage<Attempt> transfer(Grant from, Claim to, SignalListener signals) {
        return guarded(() -> backend.transfer(from, to, signals));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return guarded(() -> backend.renew(held)).thenApply(renewals -> {
            if (renewals.size() != held.size()) {
                throw new IllegalStateException(renewals.size() + " answers for " + held.size() + " grants");
            }
            return renewals;
        });
    }

    @Override
    public CompletionStage<Released> release(LockName name, HolderId holder) {
        return guarded(() -> backend.release(name, holder));
    }

    private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {
        backend.close();
    }
}
