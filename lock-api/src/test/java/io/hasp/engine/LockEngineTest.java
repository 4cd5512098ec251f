package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Faults that the simulator found between an engine and its callers. */
class LockEngineTest {
    private static final LockName NAME = new LockName("n");
    private static final long WAIT = TimeUnit.SECONDS.toNanos(10);

    private final HandTiming timing = new HandTiming();

    private LockEngine engine(LockBackend backend) {
        EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT, 0, WAIT, false, true);
        EngineThreads threads = new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run));
        return new LockEngine(backend, threads, "c", settings, notice -> {}, () -> {});
    }

    /** A caller may look whether the client is open, and join when it has been closed. */
    @Test
    void what_a_caller_owes_who_joins_after_the_end_is_not_tried_again_and_again() {
        LockEngine engine = engine(new SilentBackend());
        engine.beginClosing();
        engine.end();
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
        Acquisition late = engine.acquire(NAME, terms, WAIT, engine.pool());
        assertThat(late.result()).isCompletedWithValue(Outcome.CLOSED);
        assertThat(timing.alarms()).as("timers of a closed client").isZero();
    }

    /** A wait is no part of it: one attempt would be answered, or fail as in an outage. */
    @Test
    void a_caller_who_joins_without_a_wait_when_the_client_closes_hears_that_it_is_closed() {
        SilentBackend backend = new SilentBackend();
        LockEngine engine = engine(backend);
        engine.beginClosing();
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
        Acquisition late = engine.acquire(NAME, terms, 0, engine.pool());
        assertThat(late.result()).isCompletedWithValue(Outcome.CLOSED);
        assertThat(backend.requests).as("requests of a client that closes").isZero();
    }

    /** An answer of a former server need not be true of the present one, and the caller must get no answer that contradicts the lease. */
    @Test
    void an_extension_that_was_asked_before_the_backend_was_there_again_is_not_confirmed() {
        SilentBackend backend = new SilentBackend();
        LockEngine engine = engine(backend);
        LeaseControl control = fixed(engine, backend);
        long before = control.life().deadline();
        CompletionStage<Renewal> extension = control.beginExtension(Duration.ofSeconds(40));
        Objects.requireNonNull(backend.listener).onSignal(Signal.RESTORED);
        backend.renewal.complete(List.of(new Renewal.Renewed(Duration.ofSeconds(40))));
        assertThat(extension.toCompletableFuture().join()).isInstanceOf(Renewal.Unknown.class);
        assertThat(control.life().deadline()).isEqualTo(before);
    }

    private static LeaseControl fixed(LockEngine engine, SilentBackend backend) {
        backend.grants = true;
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.of(OneLockBackend.LEASE), Optional.empty());
        Acquisition acquisition = engine.acquire(NAME, terms, WAIT, engine.pool());
        return acquisition.lease((Outcome.Acquired) acquisition.result().join());
    }

    /** The thread that extends may not run for a while when the answer is there. */
    @Test
    void a_loss_that_an_extension_finds_reaches_the_lease_before_its_caller_goes_on() {
        SilentBackend backend = new SilentBackend();
        LeaseControl control = fixed(engine(backend), backend);
        control.beginExtension(Duration.ofSeconds(40));
        assertThat(control.life().state()).isEqualTo(LeaseLife.State.HELD);
        backend.renewal.complete(List.of(new Renewal.Lost("somebody else has it")));
        assertThat(control.life().state()).isEqualTo(LeaseLife.State.LOST);
    }

    /** The thread that extends may stand still between its look at what is left and its request. */
    @Test
    void le7_an_extension_moves_no_end_beyond_max_hold() {
        SilentBackend backend = new SilentBackend();
        LockEngine engine = engine(backend);
        backend.grants = true;
        Duration maxHold = Duration.ofSeconds(40);
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.of(OneLockBackend.LEASE), Optional.of(maxHold));
        Acquisition acquisition = engine.acquire(NAME, terms, WAIT, engine.pool());
        LeaseControl control =
                acquisition.lease((Outcome.Acquired) acquisition.result().join());
        timing.set(TimeUnit.SECONDS.toNanos(5));
        control.beginExtension(maxHold);
        backend.renewal.complete(List.of(new Renewal.Renewed(maxHold)));
        assertThat(control.life().cap()).isEqualTo(maxHold.toNanos());
    }
}
