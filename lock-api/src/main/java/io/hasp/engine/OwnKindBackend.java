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
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Repeats a request that was refused because the name is a lock of another kind, if only this client itself uses it as such: it keeps
 * that lock without a lease, or its release is not answered yet. The kept lock is given back first.
 */
final class OwnKindBackend implements LockBackend {
    private static final int TRIES = 40;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final LockBackend backend;
    private final Predicate<Claim> settling;
    private final Later later;

    /** Runs a task after so many nanoseconds, where requests are made. */
    interface Later {
        void run(long delay, Runnable task);
    }

    /**
     * Over a backend.
     *
     * @param settling gives back what the client keeps under that name as another kind; true if nothing else of the client is there
     */
    OwnKindBackend(LockBackend backend, Predicate<Claim> settling, Later later) {
        this.backend = backend;
        this.settling = settling;
        this.later = later;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        CompletionStage<Attempt> answer = backend.acquire(claim, signals);
        if (ContractGuard.present(answer) != null) {
            return answer;
        }
        CompletableFuture<Attempt> last = new CompletableFuture<>();
        new Request(claim, signals, last).answered(answer);
        return last;
    }

    /** One request, and its repetitions. */
    private final class Request implements Runnable {
        private final Claim claim;
        private final SignalListener signals;
        private final CompletableFuture<Attempt> last;
        private boolean own;
        private int tries;

        Request(Claim claim, SignalListener signals, CompletableFuture<Attempt> last) {
            this.claim = claim;
            this.signals = signals;
            this.last = last;
        }

        @Override
        public void run() {
            try {
                answered(backend.acquire(claim, signals));
            } catch (Throwable broken) {
                last.completeExceptionally(broken);
            }
        }

        private void answered(CompletionStage<Attempt> answer) {
            answer.whenComplete((attempt, thrown) -> {
                try {
                    if (thrown == null) {
                        last.complete(attempt);
                    } else if (last.isDone() || !isOfOtherKind(thrown) || !repeats()) {
                        last.completeExceptionally(thrown);
                    }
                } catch (Throwable broken) {
                    last.completeExceptionally(broken);
                }
            });
        }

        /** Once more after the other kind has gone. */
        private boolean repeats() {
            boolean before = own;
            own = settling.test(claim);
            tries++;
            if (tries > TRIES || !(own || before)) {
                return false;
            }
            later.run(tries == 1 ? 0 : PAUSE, this);
            return true;
        }
    }

    private static boolean isOfOtherKind(Throwable thrown) {
        return BackendFailure.causeOf(thrown) instanceof BackendFailure failure
                && failure.kind() == BackendFailure.Kind.OTHER_KIND;
    }

    @Override
    public Capabilities capabilities() {
        return backend.capabilities();
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return backend.tokenFloor();
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        return backend.transfer(from, to, signals);
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return backend.renew(held);
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return backend.release(claim);
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return backend.retain(claim);
    }

    @Override
    public void close() {
        backend.close();
    }
}
