package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.Acquisition;
import io.hasp.engine.HandTiming;
import io.hasp.engine.LeaseControl;
import io.hasp.engine.LockEngine;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another server takes over while a request is under way: what the former one answers is not believed. */
class FormerServerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LeaseTerms FIXED = LeaseTerms.of(LEASE, Optional.of(LEASE), Optional.empty());

    private final HandTiming timing = new HandTiming();
    private final Slow backend = new Slow();
    private Consumer<Notice> notices = notice -> {};

    private LockEngine engine() {
        EngineSettings settings = new EngineSettings(LEASE.toNanos(), 10 * SECOND, 255, 10 * SECOND, true, false);
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
        return new LockEngine(backend, threads, "c", settings, notice -> notices.accept(notice), () -> {});
    }

    /** As Redis' HolderState.otherServer does. */
    private void otherServer() {
        SignalListener listener = Objects.requireNonNull(backend.listener);
        listener.onSignal(Signal.SUSPECT);
        listener.onSignal(Signal.RESTORED);
    }

    private void letTimePass(long until) {
        for (long moment = timing.nanoTime(); moment < until; moment += SECOND / 2) {
            timing.set(moment);
            timing.fire();
        }
    }

    @Test
    void a_fixed_lease_that_a_former_server_granted_is_confirmed_by_the_present_one() {
        LockEngine engine = engine();
        Acquisition acquisition = engine.acquire(new LockName("n"), FIXED, 10 * SECOND, engine.pool());
        Claim claim = Objects.requireNonNull(backend.asked);
        otherServer();
        backend.attempt.complete(new Attempt.Granted(Grant.of(claim, 1, LEASE)));
        LeaseControl control =
                acquisition.lease((Outcome.Acquired) acquisition.result().join());
        letTimePass(28 * SECOND);
        assertThat(backend.renewals)
                .as("requests to the present server while the lease is " + control.life())
                .isNotEmpty();
    }

    @Test
    void an_extension_that_a_former_server_confirmed_is_not_believed() {
        LockEngine engine = engine();
        Acquisition acquisition = engine.acquire(new LockName("n"), FIXED, 10 * SECOND, engine.pool());
        Claim claim = Objects.requireNonNull(backend.asked);
        backend.attempt.complete(new Attempt.Granted(Grant.of(claim, 1, LEASE)));
        LeaseControl control =
                acquisition.lease((Outcome.Acquired) acquisition.result().join());
        Duration hour = Duration.ofHours(1);
        CompletionStage<Renewal> extension = control.beginExtension(hour);
        // Another thread reads the former server's answer while this one tells of the first signal.
        notices = notice -> {
            if (notice instanceof Notice.Suspect) {
                backend.renewals.get(0).complete(List.of(new Renewal.Renewed(hour)));
            }
        };
        otherServer();
        assertThat(extension.toCompletableFuture().join()).isInstanceOf(Renewal.Unknown.class);
        int before = backend.renewals.size();
        letTimePass(3000 * SECOND);
        assertThat(backend.renewals.size() - before)
                .as("requests to the present server while the lease is " + control.life())
                .isPositive();
    }

    /** That is no outage, whatever is heard of the request. */
    @ParameterizedTest
    @EnumSource
    void an_extension_of_a_lease_that_ends_meanwhile_does_not_say_that_the_backend_was_away(End end) {
        LockEngine engine = engine();
        Acquisition acquisition = engine.acquire(new LockName("n"), FIXED, 10 * SECOND, engine.pool());
        backend.attempt.complete(new Attempt.Granted(Grant.of(Objects.requireNonNull(backend.asked), 1, LEASE)));
        LeaseControl control =
                acquisition.lease((Outcome.Acquired) acquisition.result().join());
        CompletionStage<Renewal> extension = control.beginExtension(Duration.ofHours(1));
        CompletableFuture<List<Renewal>> answer = backend.renewals.get(0);
        SignalListener listener = Objects.requireNonNull(backend.listener);
        switch (end) {
            case LOST -> {
                listener.onSignal(Signal.LOST);
                answer.complete(List.of(new Renewal.Renewed(Duration.ofHours(1))));
            }
            case LOST_WITHOUT_ANSWER -> {
                listener.onSignal(Signal.LOST);
                answer.completeExceptionally(new BackendFailure(
                        BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer in time", null));
            }
            case OVER_BY_A_FORMER_ANSWER -> {
                listener.onSignal(Signal.RESTORED);
                timing.set(31 * SECOND);
                answer.complete(List.of(new Renewal.Renewed(Duration.ofHours(1))));
            }
        }
        assertThat(extension.toCompletableFuture().join()).isInstanceOf(Renewal.Lost.class);
        assertThat(control.life().state()).isEqualTo(LeaseLife.State.LOST);
    }

    /** Of a lease that is being extended. */
    enum End {
        LOST,
        LOST_WITHOUT_ANSWER,
        OVER_BY_A_FORMER_ANSWER
    }

    private static final class Slow implements LockBackend {
        final CompletableFuture<Attempt> attempt = new CompletableFuture<>();
        final List<CompletableFuture<List<Renewal>>> renewals = new ArrayList<>();

        @Nullable
        SignalListener listener;

        @Nullable
        Claim asked;

        @Override
        public Capabilities capabilities() {
            return Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE);
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            asked = claim;
            listener = signals;
            return attempt;
        }

        @Override
        public CompletionStage<List<Renewal>> renew(List<Grant> held) {
            CompletableFuture<List<Renewal>> renewal = new CompletableFuture<>();
            renewals.add(renewal);
            return renewal;
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            return CompletableFuture.completedFuture(Released.RELEASED);
        }

        @Override
        public void close() {}
    }
}
