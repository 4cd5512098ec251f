package io.hasp.engine.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.engine.Acquisition;
import io.hasp.engine.HandTiming;
import io.hasp.engine.LeaseControl;
import io.hasp.engine.LockEngine;
import io.hasp.engine.OneLockBackend;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Notice;
import io.hasp.engine.machine.Outcome;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole ending of a client, wherever its error is. */
@Timeout(180)
public class FailStopTest {
    private static final LeaseTerms TERMS = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The place of the error. */
    private enum Place {
        MACHINE,
        EFFECT,
        TIMER,
        BACKEND_CALL,
        BACKEND_ANSWER,
        RENEWAL,
        DEAD_THREAD
    }

    private final Error error = new AssertionError("of the test");
    private final HandTiming timing = new HandTiming();
    private final FaultyBackend backend = new FaultyBackend();
    /** A client with threads of its own, whose clock stands still. */
    private final EngineThreads threads = new EngineThreads("failing", Optional.of(timing), Optional.empty());

    private final List<Notice> notices = new CopyOnWriteArrayList<>();
    private volatile @Nullable Place place;
    private final LockEngine engine =
            new LockEngine(backend, threads, "failing", settings(), this::noticed, () -> breakAt(Place.TIMER));

    private static EngineSettings settings() {
        return new EngineSettings(OneLockBackend.LEASE.toNanos(), 30 * SECOND, 0, SECOND, true, false);
    }

    private void breakAt(Place here) {
        if (place == here) {
            place = null;
            throw error;
        }
    }

    private void noticed(Notice notice) {
        notices.add(notice);
        breakAt(Place.EFFECT);
    }

    /** Answers at once, unless it breaks. */
    private final class FaultyBackend implements LockBackend {
        private final OneLockBackend server = new OneLockBackend(true);
        volatile boolean closed;

        @Nullable
        RuntimeException outage;

        @Override
        public Capabilities capabilities() {
            return server.capabilities();
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            breakAt(Place.BACKEND_CALL);
            RuntimeException fault = outage;
            if (fault != null) {
                throw fault;
            }
            return answered(Place.BACKEND_ANSWER, server.acquire(claim, signals));
        }

        private <T> CompletionStage<T> answered(Place here, CompletionStage<T> answer) {
            if (place != here) {
                return answer;
            }
            place = null;
            CompletableFuture<T> late = new CompletableFuture<>();
            // On a thread of the client library's.
            new Thread(() -> late.completeExceptionally(new BackendFailure(
                            BackendFailure.Kind.UNAVAILABLE,
                            BackendFailure.Outcome.UNKNOWN,
                            "the library broke",
                            error)))
                    .start();
            return late;
        }

        @Override
        public CompletionStage<List<Renewal>> renew(List<Grant> held) {
            return answered(Place.RENEWAL, server.renew(held));
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            return server.release(claim);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private Acquisition acquire(String name) {
        Acquisition acquisition = engine.acquire(new LockName(name), TERMS, 3_600 * SECOND, engine.pool());
        acquisition.awaitElsewhere();
        return acquisition;
    }

    private LeaseControl lease(String name) {
        Acquisition acquisition = acquire(name);
        return acquisition.lease((Outcome.Acquired) acquisition.result().join());
    }

    /** Makes the error happen. */
    private void trigger(Place where) throws InterruptedException {
        switch (where) {
            case MACHINE -> {
                engine.trace(row -> breakAt(Place.MACHINE));
                place = where;
                engine.acquire(new LockName("b"), TERMS, 0, engine.pool());
            }
            case EFFECT, BACKEND_CALL, BACKEND_ANSWER -> {
                place = where;
                engine.acquire(new LockName("b"), TERMS, 0, engine.pool());
            }
            case TIMER, RENEWAL -> {
                place = where;
                timing.set(16 * SECOND);
                timing.fire();
            }
            case DEAD_THREAD -> {
                Thread dies = threads.closing().getThreadFactory().newThread(() -> {
                    throw error;
                });
                dies.start();
                dies.join();
            }
        }
    }

    @AfterEach
    void end() {
        engine.end();
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void an_error_ends_the_client(Place where) throws Exception {
        LeaseControl held = lease("a");
        List<LeaseLife.State> notified = new CopyOnWriteArrayList<>();
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        held.observe(notified::add);
        held.stopWorkBy(then -> stopped.complete(true));
        Acquisition waiting = acquire("a");

        trigger(where);

        assertThat(stopped.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(held.life().state()).isEqualTo(LeaseLife.State.LOST);
        assertThat(held.loss()).contains("the lock client failed").contains("of the test");
        eventually(() -> notified.equals(List.of(LeaseLife.State.LOST)));
        assertThatThrownBy(() -> waiting.result().get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(EngineClosedException.class)
                .hasRootCause(error);
        eventually(() -> backend.closed);
        assertThat(notices.stream().filter(Notice.Lost.class::isInstance)).hasSize(1);
        assertThat(engine.closing()).isTrue();
        assertThat(engine.failure()).isSameAs(error);
        assertThatThrownBy(held::release)
                .isInstanceOf(CompletionException.class)
                .hasRootCause(error);
        assertThatThrownBy(() -> lease("b")).hasRootCause(error);
        assertThat(engine.settled()).isTrue();
        eventually(() -> threadsLeft().isEmpty());
    }

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).as("nanoseconds").isLessThan(30 * SECOND);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static List<String> threadsLeft() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("-failing"))
                .toList();
    }

    @Test
    void an_exception_of_the_backend_is_an_outage_of_its_call() {
        LeaseControl held = lease("a");
        backend.outage = new IllegalStateException("of the test");
        Acquisition failed = engine.acquire(new LockName("b"), TERMS, 0, engine.pool());
        failed.awaitElsewhere();
        assertThat(failed.result().join()).isInstanceOf(Outcome.Failed.class);
        assertThat(held.life().state()).isEqualTo(LeaseLife.State.HELD);
        assertThat(engine.failure()).isNull();
        assertThat(held.release()).isEqualTo(ReleaseCall.Found.RELEASED);
    }

    /** The ending may have no processor time for a while. */
    @Test
    void lease_is_lost_before_the_ending_comes_to_it() {
        LeaseControl held = lease("a");
        threads.failStop.endBy(() -> {});
        threads.failStop.fail(error);
        assertThat(held.lease().life().state()).isEqualTo(LeaseLife.State.HELD);
        assertThat(held.life().state()).isEqualTo(LeaseLife.State.LOST);
    }

    @Test
    void event_that_comes_after_the_failure_changes_nothing() {
        LeaseControl held = lease("a");
        threads.failStop.endBy(() -> {});
        threads.failStop.fail(error);
        held.giveBack(new ReleaseCall(engine.pool()));
        assertThat(held.lease().life().state()).isEqualTo(LeaseLife.State.HELD);
    }
}
