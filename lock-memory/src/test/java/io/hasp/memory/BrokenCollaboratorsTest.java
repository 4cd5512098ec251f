package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockListener;
import io.hasp.ReleaseResult;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Backends, listeners and executors that break their contracts fail the affected call, never the queue. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenCollaboratorsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private boolean rejecting;
    private final Executor executor = task -> {
        if (rejecting) {
            throw new RejectedExecutionException("saturated");
        }
        task.run();
    };
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(executor);
    private final LockClient client = LockClient.over(backend, options);

    private Lease held(String name) {
        return client.lock(name).tryAcquire().orElseThrow();
    }

    private static BackendFailure unavailable() {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.NOT_APPLIED, "scripted", null);
    }

    @Test
    void a_backend_that_throws_instead_of_failing_does_not_lose_the_queue() {
        backend.onAcquire = (claim, call) -> {
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(BackendException.class);
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        CompletableFuture<Lease> behind = client.lock("a").acquireAsync();
        backend.onAcquire = (claim, call) -> call.get();
        time.advance(Duration.ofSeconds(1));
        assertThat(waiter).isDone();

        backend.onRelease = (claim, call) -> {
            throw new UnsupportedOperationException("broken");
        };
        Lease held = waiter.join();
        time.advance(Duration.ofSeconds(1));
        assertThatThrownBy(held::release).isInstanceOf(BackendException.class);
        backend.onRelease = (claim, call) -> call.get();
        time.advance(Duration.ofSeconds(1));
        assertThat(behind).isDone();
    }

    @Test
    void a_renewal_that_throws_or_answers_for_too_few_is_tried_again() {
        Lease lease = held("a");
        backend.onRenew = (held, call) -> {
            throw new IllegalStateException("broken");
        };
        time.advance(Duration.ofSeconds(16));
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        backend.onRenew = (held, call) -> CompletableFuture.completedFuture(List.of());
        time.advance(Duration.ofSeconds(3));
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        backend.onRenew = (held, call) -> call.get();
        time.advance(Duration.ofSeconds(3));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_renewal_for_no_time_at_all_makes_no_busy_loop() {
        Lease lease = held("a");
        AtomicInteger calls = new AtomicInteger();
        backend.onRenew = (held, call) -> switch (calls.incrementAndGet()) {
            case 1 -> CompletableFuture.completedFuture(List.of(new Renewal.Renewed(Duration.ZERO)));
            case 1_000 -> call.get();
            default -> CompletableFuture.failedFuture(unavailable());
        };
        time.advance(LEASE);
        assertThat(calls).hasValueLessThan(20);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void a_backend_that_refuses_every_holder_id_fails_an_attempt_without_a_wait() {
        backend.onAcquire = (claim, call) -> CompletableFuture.completedFuture(new Attempt.Gone());
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(BackendException.class);
    }

    @Test
    void a_backend_that_wants_to_be_asked_again_at_once_makes_no_busy_loop() {
        AtomicInteger calls = new AtomicInteger();
        backend.onAcquire = (claim, call) -> {
            calls.incrementAndGet();
            return CompletableFuture.completedFuture(new Attempt.Busy(Duration.ZERO));
        };
        CompletableFuture<Optional<Lease>> timed = client.lock("a").tryAcquireAsync(Duration.ofMillis(100));
        time.advance(Duration.ofMillis(100));
        assertThat(timed).isCompletedWithValue(Optional.empty());
        assertThat(calls).hasValueBetween(2, 101);
    }

    @Test
    void an_observer_whose_executor_refuses_stops_neither_release_nor_renewal_nor_the_others() {
        Executor refusing = task -> {
            throw new RejectedExecutionException("shut down");
        };
        Lease other = held("b");
        Lease lease = held("a");
        CompletableFuture<LeaseState> second = new CompletableFuture<>();
        lease.onChange(refusing, state -> {});
        lease.onChange(Runnable::run, second::complete);
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(second).isCompletedWithValue(LeaseState.RELEASED);
        assertThat(waiter).isDone();
        lease.onChange(refusing, state -> {});

        waiter.join().onChange(refusing, state -> {});
        server.expire("a");
        time.advance(Duration.ofMinutes(2));
        assertThat(waiter.join().state()).isEqualTo(LeaseState.LOST);
        assertThat(other.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_listener_that_fails_stops_nothing() {
        LockListener failing = event -> {
            throw new AssertionError("a listener's bug");
        };
        LockClient listened = LockClient.over(server.link(), options.addListener(failing));
        Lease lease = listened.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> waiter = listened.lock("a").acquireAsync();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(waiter).isDone();
    }

    @Test
    void an_executor_that_refuses_for_a_while_delays_work_and_loses_none() {
        Lease lease = held("a");
        rejecting = true;
        CompletableFuture<Lease> waiter = client.lock("b").acquireAsync();
        time.advance(Duration.ofSeconds(15));
        rejecting = false;
        time.advance(Duration.ofMinutes(5));
        assertThat(waiter).isDone();
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void an_interrupt_that_is_kept_for_later_does_not_disturb_the_backend() {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> {
            interrupted.complete(Thread.currentThread().isInterrupted());
            return call.get();
        };
        Thread.currentThread().interrupt();
        assertThat(client.lock("a").tryAcquire()).isPresent();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).isCompletedWithValue(false);
    }

    @Test
    void a_backend_that_answers_nothing_or_the_impossible_loses_neither_the_queue_nor_the_lock() {
        Claim strange = Claim.renewedLease(new LockName("b"), new HolderId("stranger"), LEASE, true);
        List<CompletionStage<Attempt>> answers = new ArrayList<>(List.of(
                CompletableFuture.completedFuture(new Attempt.Busy(none())),
                CompletableFuture.completedFuture(new Attempt.Granted(none())),
                CompletableFuture.completedFuture(new Attempt.Granted(Grant.of(strange, 1, LEASE))),
                CompletableFuture.completedFuture(none())));
        answers.add(none());
        for (CompletionStage<Attempt> answer : answers) {
            backend.onAcquire = (claim, call) -> answer;
            assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(BackendException.class);
            CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
            CompletableFuture<Lease> behind = client.lock("a").acquireAsync();
            backend.onAcquire = (claim, call) -> call.get();
            time.advance(Duration.ofSeconds(3));
            assertThat(waiter).isCompleted();
            backend.onRelease = (claim, call) -> none();
            assertThatThrownBy(() -> waiter.join().release()).isInstanceOf(BackendException.class);
            backend.onRelease = (claim, call) -> call.get();
            time.advance(Duration.ofSeconds(3));
            assertThat(behind).isCompleted();
            behind.join().release();
            assertThat(server.size()).isZero();
        }
    }

    @Test
    void an_impossible_answer_to_one_renewal_costs_no_other_lease() {
        Lease first = held("a");
        Lease second = held("b");
        for (Renewal impossible : Arrays.asList(
                none(), new Renewal.Renewed(none()), new Renewal.Lost(none()), new Renewal.Unknown(none()))) {
            backend.onRenew = (held, call) -> call.get().thenApply(renewals -> {
                List<Renewal> spoilt = new ArrayList<>(renewals);
                spoilt.set(0, impossible);
                return spoilt;
            });
            letTimePassToRenewal();
            assertThat(List.of(first.state(), second.state()))
                    .containsExactlyInAnyOrder(LeaseState.SUSPECT, LeaseState.HELD);
            backend.onRenew = (held, call) -> call.get();
            time.advance(Duration.ofSeconds(14));
            assertThat(List.of(first.state(), second.state())).containsOnly(LeaseState.HELD);
        }
        backend.onRenew = (held, call) -> none();
        letTimePassToRenewal();
        backend.onRenew = (held, call) -> call.get();
        time.advance(Duration.ofSeconds(12));
        assertThat(List.of(first.state(), second.state())).containsOnly(LeaseState.HELD);
    }

    private void letTimePassToRenewal() {
        int before = backend.renewed.size();
        while (backend.renewed.size() == before) {
            time.advance(Duration.ofSeconds(1));
        }
    }

    /** Returns null, which no backend may answer. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T none() {
        return null;
    }
}
