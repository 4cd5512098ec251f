package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The answer of a backend is lost in this process: the caller hears of it, and what it may have been granted is given back. */
class TimeLimitedBackendTest {
    private static final Duration LEASE = OneLockBackend.LEASE;
    private static final Duration LIMIT = Duration.ofSeconds(12);
    private static final EngineSettings SETTINGS =
            new EngineSettings(LEASE.toNanos(), LEASE.toNanos(), 0, 0, true, false);
    private static final LeaseTerms TERMS = LeaseTerms.of(LEASE, Optional.empty(), Optional.empty());

    private final HandTiming timing = new HandTiming();
    private final LosingBackend server = new LosingBackend();
    private final LockEngine engine = new LockEngine(
            server,
            new EngineThreads("c", Optional.of(timing), Optional.of(Runnable::run)),
            "c",
            SETTINGS,
            notice -> {},
            () -> {});

    private Acquisition begin(String name) {
        Acquisition acquisition = engine.acquire(new LockName(name), TERMS, 0, engine.pool());
        acquisition.awaitElsewhere();
        return acquisition;
    }

    private static Claim claim(String name) {
        return Claim.renewedLease(new LockName(name), new HolderId("h"), LEASE, true);
    }

    private void pass(Duration time) {
        timing.set(timing.nanoTime() + time.toNanos());
        timing.fire();
    }

    @Test
    void a_grant_whose_answer_is_lost_fails_and_is_given_back() {
        server.loses = true;
        Acquisition acquisition = begin("n");
        assertThat(server.oneLock.isFree()).isFalse();
        pass(LIMIT.minusNanos(1));
        assertThat(acquisition.result()).isNotDone();
        server.loses = false;
        pass(Duration.ofNanos(1));
        assertThat(acquisition.result().join()).isInstanceOf(Outcome.Failed.class);
        assertThat(server.oneLock.isFree()).isTrue();
        assertThat(engine.settled()).isTrue();
    }

    @Test
    void a_release_whose_answer_is_lost_ends() {
        Acquisition acquisition = begin("n");
        Outcome.Acquired acquired = (Outcome.Acquired) acquisition.result().join();
        server.loses = true;
        ReleaseCall call = new ReleaseCall(engine.pool());
        acquisition.lease(acquired).giveBack(call);
        assertThat(call.result).isNotDone();
        server.loses = false;
        pass(LIMIT);
        pass(LIMIT);
        assertThat(call.result).isDone();
        assertThat(engine.settled()).isTrue();
    }

    @Test
    void each_answer_has_its_own_time() {
        server.loses = true;
        Acquisition first = begin("a");
        pass(LIMIT.dividedBy(2));
        Acquisition second = begin("b");
        pass(LIMIT.dividedBy(2));
        assertThat(first.result()).isDone();
        assertThat(second.result()).isNotDone();
        pass(LIMIT.dividedBy(2));
        assertThat(second.result()).isDone();
    }

    @Test
    void an_answer_that_comes_leaves_no_timer_behind() {
        CompletableFuture<Released> answer = new CompletableFuture<>();
        server.next = answer;
        CompletableFuture<Released> released = limited().release(claim("a")).toCompletableFuture();
        answer.complete(Released.NOT_HELD);
        assertThat(released).isCompletedWithValue(Released.NOT_HELD);
        assertThat(timing.alarms()).isEqualTo(1);
        pass(LIMIT);
        assertThat(timing.alarms()).isZero();
    }

    @Test
    void without_memory_for_a_timer_all_fail_at_once() {
        List<Runnable> tasks = new ArrayList<>();
        LockBackend limited = TimeLimitedBackend.of(server, timing::nanoTime, (delay, task) -> {
            if (tasks.size() == 1) {
                throw new OutOfMemoryError("of the test");
            }
            tasks.add(task);
        });
        server.loses = true;
        CompletableFuture<Released> first = limited.release(claim("a")).toCompletableFuture();
        timing.set(LIMIT.toNanos() / 2);
        CompletableFuture<Released> second = limited.release(claim("b")).toCompletableFuture();
        timing.set(LIMIT.toNanos());
        tasks.get(0).run();
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
    }

    @Test
    void a_request_for_which_no_timer_can_be_had_fails() {
        LockBackend limited = TimeLimitedBackend.of(server, timing::nanoTime, (delay, task) -> {
            throw new OutOfMemoryError("of the test");
        });
        server.loses = true;
        assertThatThrownBy(() -> limited.release(claim("a"))).isInstanceOf(OutOfMemoryError.class);
    }

    private LockBackend limited() {
        return TimeLimitedBackend.of(
                server, timing::nanoTime, (delay, task) -> timing.schedule(Duration.ofNanos(delay), task));
    }

    /** A server that answers at once, in a process where answers get lost. */
    private static final class LosingBackend implements LockBackend {
        private final OneLockBackend oneLock = new OneLockBackend(true);
        private boolean loses;
        private @Nullable CompletableFuture<Released> next;

        private <T> CompletionStage<T> passed(CompletionStage<T> answer) {
            return loses ? new CompletableFuture<>() : answer;
        }

        @Override
        public Capabilities capabilities() {
            return oneLock.capabilities();
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            return passed(oneLock.acquire(claim, signals));
        }

        @Override
        public CompletionStage<List<Renewal>> renew(List<Grant> held) {
            return passed(oneLock.renew(held));
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            return next != null ? next : passed(oneLock.release(claim));
        }

        @Override
        public Optional<Duration> answersWithin() {
            return Optional.of(LIMIT);
        }

        @Override
        public void close() {}
    }
}
