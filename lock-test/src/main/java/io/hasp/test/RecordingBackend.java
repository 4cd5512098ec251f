package io.hasp.test;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.RequestCombiner;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The backend of a client: records each request, and is unavailable or slow when the test wants it. A lock is never kept
 * after its release, so that each lease is a request of its own. Thread-safe.
 */
final class RecordingBackend implements LockBackend {
    /** As for Redis. */
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private final LockBackend server;
    private final Timing timing;
    private final Requests requests;
    private final Faults faults;
    private final TestTime time;

    RecordingBackend(LockBackend server, Timing timing, Requests requests, Faults faults, TestTime time) {
        this.server = server;
        this.timing = timing;
        this.requests = requests;
        this.faults = faults;
        this.time = time;
    }

    @Override
    public Capabilities capabilities() {
        return server.capabilities();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        time.addCaller();
        requests.sent(claim, signals);
        return call(() -> server.acquire(claim.withKeeps(false), signal -> pass(signal, signals)))
                .whenComplete((attempt, failure) -> requests.answered(claim, attempt));
    }

    private void pass(Signal signal, SignalListener signals) {
        if (faults.available()) {
            signals.onSignal(signal);
        }
    }

    /**
     * Releases, and lets the next caller make its request itself: its record has the thread and the call of that caller, and not of the one
     * that releases.
     */
    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        if (!to.queue()) {
            return LockBackend.super.transfer(from, to, signals);
        }
        CompletionStage<Released> released = release(from.claim());
        return new Transfer(released, released.thenApply(found -> new Attempt.Gone()));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return call(() -> server.renew(held).thenApply(answers -> {
            for (int i = 0; i < held.size(); i++) {
                requests.renewed(held.get(i), answers.get(i));
            }
            return answers;
        }));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        requests.released(claim);
        return call(() -> server.release(claim));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        requests.released(claim);
        return call(() -> server.retain(claim));
    }

    /** Ends a holder's grant on the server, without a word to its client. */
    void end(Claim claim) {
        server.release(claim);
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return server.tokenFloor().map(raising -> (name, floor) -> call(() -> raising.raise(name, floor)));
    }

    /** The requests of one caller are made in their order, on its thread. */
    @Override
    public Optional<RequestCombiner> combiner() {
        return Optional.of(Runnable::run);
    }

    @Override
    public Optional<Inspector> inspector() {
        return server.inspector().map(LateInspector::new);
    }

    /** Unavailable and slow as the locks are. */
    private final class LateInspector implements Inspector {
        private final Inspector inspector;

        LateInspector(Inspector inspector) {
            this.inspector = inspector;
        }

        @Override
        public CompletionStage<Page> list(String prefix, String cursor) {
            return call(() -> inspector.list(prefix, cursor));
        }

        @Override
        public CompletionStage<Optional<Content>> find(LockName name) {
            return call(() -> inspector.find(name));
        }

        @Override
        public CompletionStage<Boolean> remove(LockName name, Holder holder) {
            return call(() -> inspector.remove(name, holder));
        }
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> request) {
        if (!faults.available()) {
            return CompletableFuture.failedFuture(
                    failure(BackendFailure.Outcome.NOT_APPLIED, "the test has made the lock service unavailable"));
        }
        Duration delay = faults.delay();
        return delay.isZero() ? request.get() : late(request.get(), delay);
    }

    /** An answer that takes longer than the command timeout is lost. */
    private <T> CompletionStage<T> late(CompletionStage<T> answer, Duration delay) {
        CompletableFuture<T> late = new CompletableFuture<>();
        if (delay.compareTo(COMMAND_TIMEOUT) > 0) {
            timing.schedule(
                    COMMAND_TIMEOUT,
                    () -> late.completeExceptionally(failure(
                            BackendFailure.Outcome.UNKNOWN,
                            "the lock service did not answer within " + COMMAND_TIMEOUT + ": the test delays it by "
                                    + delay)));
        } else {
            timing.schedule(
                    delay,
                    () -> answer.whenComplete((value, failure) -> {
                        if (failure == null) {
                            late.complete(value);
                        } else {
                            late.completeExceptionally(BackendFailure.causeOf(failure));
                        }
                    }));
        }
        return late;
    }

    private static BackendFailure failure(BackendFailure.Outcome outcome, String why) {
        return new BackendFailure(BackendFailure.Kind.UNAVAILABLE, outcome, why, null);
    }

    @Override
    public void close() {
        server.close();
    }
}
