package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.LogQueue;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** The client side: every call goes through the link, which may lose the request or the reply. */
final class MemoryBackend implements LockBackend {
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(100);
    private static final Capabilities CAPABILITIES = Capabilities.of(
                    Capabilities.Ordering.FIFO, Capabilities.Enforcement.LEASE)
            .sharing()
            .recalling()
            .retaining()
            .inspecting();
    static final BackendDeclaration DECLARATION = new BackendDeclaration(CAPABILITIES, true, COMMAND_TIMEOUT);
    /** The interval at which a raised floor checks again if a client that keeps the lock has answered. */
    private static final Duration RECALL_AGAIN = Duration.ofMillis(1);

    private static final int RECALLS = 100;

    private final MemoryServer server;
    private final MemoryLink link;
    private final BackendContext context;

    MemoryBackend(MemoryServer server, MemoryLink link, BackendContext context) {
        this.server = server;
        this.link = link;
        this.context = context;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return call(() -> server.acquire(claim, signal -> {
            if (link.passesSignals()) {
                deliver(signals, signal);
            }
        }));
    }

    /**
     * A closed client that the server does not know receives nothing; the sender of the signal must not fail for that.
     */
    private void deliver(SignalListener signals, Signal signal) {
        try {
            context.executor().execute(() -> signals.onSignal(signal));
        } catch (RejectedExecutionException e) {
            LogQueue.log(System.Logger.Level.DEBUG, "a signal reached a client that is closed", e);
        }
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return call(() -> held.stream().map(server::renew).toList());
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return call(() -> server.release(claim));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return call(() -> server.retain(claim));
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return Optional.of((name, floor) -> {
            CompletableFuture<Void> raised = new CompletableFuture<>();
            raise(name, floor, RECALLS, raised);
            return raised;
        });
    }

    /** Again and again, while a client that keeps the lock has not answered. */
    private void raise(LockName name, long floor, int tries, CompletableFuture<Void> raised) {
        call(() -> server.raiseTokenFloor(name, floor)).whenComplete((done, failure) -> {
            if (failure != null) {
                raised.completeExceptionally(failure);
            } else if (done) {
                raised.complete(null);
            } else if (tries == 0) {
                raised.completeExceptionally(timeout());
            } else {
                context.timing().schedule(RECALL_AGAIN, () -> raise(name, floor, tries - 1, raised));
            }
        });
    }

    @Override
    public Optional<Inspector> inspector() {
        return Optional.of(new MemoryInspector());
    }

    private final class MemoryInspector implements Inspector {
        @Override
        public CompletionStage<Page> list(String prefix, String cursor) {
            return call(() -> server.list(prefix, cursor));
        }

        @Override
        public CompletionStage<Optional<Content>> find(LockName name) {
            return call(() -> server.find(name));
        }

        @Override
        public CompletionStage<Boolean> remove(LockName name, Holder holder) {
            return call(() -> server.remove(name, holder));
        }
    }

    private <T> CompletionStage<T> call(Supplier<T> request) {
        MemoryLink.State state = link.state();
        if (state != MemoryLink.State.REQUESTS_LOST) {
            CompletableFuture<T> answer = answer(request);
            if (state == MemoryLink.State.WHOLE) {
                return answer;
            }
        }
        CompletableFuture<T> unanswered = new CompletableFuture<>();
        context.timing().schedule(COMMAND_TIMEOUT, () -> unanswered.completeExceptionally(timeout()));
        return unanswered;
    }

    private static <T> CompletableFuture<T> answer(Supplier<T> request) {
        try {
            return CompletableFuture.completedFuture(request.get());
        } catch (BackendFailure refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private static BackendFailure timeout() {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.UNKNOWN,
                "the in-memory server did not answer within " + COMMAND_TIMEOUT,
                null);
    }

    @Override
    public void close() {
        // Nothing is connected; grants end with their leases, as on a real server.
    }
}
