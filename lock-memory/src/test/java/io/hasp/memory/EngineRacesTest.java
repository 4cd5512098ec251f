package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientOptions;
import io.hasp.HandOff;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers, signals and ends of waits that cross each other, each crossing made to happen. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineRacesTest {
    private static final LockOptions FIVE_SECONDS = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger handedOff = new AtomicInteger();
    private final ClientOptions options = ClientOptions.defaults()
            .timing(time)
            .executor(Runnable::run)
            .listener(event -> {
                if (event instanceof LockEvent.OutcomeUnknown) {
                    unknown.incrementAndGet();
                } else if (event instanceof LockEvent.HandedOff) {
                    handedOff.incrementAndGet();
                }
            });
    private final LockClient client = LockClient.over(backend, options);
    private final LockClient other = LockClient.over(server.link(), options);

    private static BackendFailure failure(BackendFailure.Kind kind) {
        return new BackendFailure(kind, BackendFailure.Outcome.UNKNOWN, "scripted", null);
    }

    @Test
    void a_lease_that_a_signal_made_suspect_is_not_handed_over_as_if_it_were_held() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        backend.signal(0, Signal.SUSPECT);
        lease.release();
        assertThat(handedOff).hasValue(0);
        assertThat(next.join().fencingToken()).isGreaterThanOrEqualTo(lease.fencingToken() + 256);
    }

    @Test
    void a_fixed_lease_that_was_suspect_is_verified_and_held_again() {
        Lease lease = client.lock("a", FIVE_SECONDS).tryAcquire().orElseThrow();
        backend.signal(0, Signal.SUSPECT);
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        backend.signal(0, Signal.RESTORED);
        time.advance(Duration.ofMillis(1));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(5));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void an_extension_that_is_answered_too_late_tells_the_loss_and_lets_the_next_one_in() {
        Lease lease = client.lock("a", FIVE_SECONDS).tryAcquire().orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, seen::add);
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        backend.onRenew = (held, call) -> {
            CompletionStage<List<io.hasp.spi.Renewal>> answer = call.get();
            time.pause(Duration.ofSeconds(6));
            return answer;
        };
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(20))).isInstanceOf(LeaseLostException.class);
        assertThat(seen).containsExactly(LeaseState.LOST);
        time.advance(Duration.ofSeconds(1));
        assertThat(next).isDone();
    }

    @Test
    void every_observer_sees_the_changes_in_the_order_in_which_they_happened() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, state -> lease.releaseAsync());
        lease.onChange(Runnable::run, seen::add);
        backend.signal(0, Signal.SUSPECT);
        assertThat(seen).containsExactly(LeaseState.SUSPECT, LeaseState.RELEASED);
    }

    @Test
    void a_grant_for_another_local_contender_ends_the_older_lease() {
        Lease older = client.lock("a").tryAcquire().orElseThrow();
        backend.signal(0, Signal.SUSPECT);
        server.expire("a");
        Lease newer = client.lock("a").tryAcquire().orElseThrow();
        assertThat(older.state()).isEqualTo(LeaseState.LOST);
        assertThat(newer.state()).isEqualTo(LeaseState.HELD);
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        newer.release();
        assertThat(next).isDone();
    }

    @Test
    void a_signal_about_a_holder_id_that_was_given_up_does_not_end_the_lease_of_the_next_id() {
        AtomicInteger attempts = new AtomicInteger();
        backend.onAcquire = (claim, call) ->
                attempts.incrementAndGet() == 1 ? CompletableFuture.completedFuture(new Attempt.Gone()) : call.get();
        Lease lease = client.lock("a").acquireAsync().join();
        backend.signal(0, Signal.LOST);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        backend.signal(1, Signal.LOST);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void a_request_that_its_withdrawal_overtook_is_withdrawn_again() {
        Lease held = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Attempt> late = new CompletableFuture<>();
        List<Supplier<CompletionStage<Attempt>>> delayed = new ArrayList<>();
        backend.onAcquire = (claim, call) -> {
            delayed.add(call);
            return late;
        };
        CompletableFuture<Lease> cancelled = client.lock("a").acquireAsync();
        cancelled.cancel(false);
        assertThat(backend.released).hasSize(1);
        delayed.get(0).get().thenAccept(late::complete);
        held.release();
        assertThat(server.size()).isZero();
    }

    @Test
    void fa5_a_request_that_its_withdrawal_overtook_and_whose_answer_is_lost_is_withdrawn_again() {
        CompletableFuture<Attempt> late = new CompletableFuture<>();
        List<Supplier<CompletionStage<Attempt>>> delayed = new ArrayList<>();
        backend.onAcquire = (claim, call) -> {
            delayed.add(call);
            return late;
        };
        client.lock("a").acquireAsync().cancel(false);
        assertThat(delayed.get(0).get()).isNotNull();
        late.completeExceptionally(failure(BackendFailure.Kind.UNAVAILABLE));
        assertThat(server.size()).isZero();
    }

    @Test
    void ap2_a_wait_that_ends_while_its_attempt_is_under_way_takes_the_lock_that_it_grants() {
        backend.onAcquire = (claim, call) -> later(Duration.ofMillis(60), call);
        for (int wait : new int[] {1, 10, 59, 100}) {
            CompletableFuture<Optional<Lease>> timed = client.lock("a").tryAcquireAsync(Duration.ofMillis(wait));
            time.advance(Duration.ofMillis(60));
            assertThat(timed).as("a wait of %s ms for a free lock", wait).isDone();
            assertThat(timed.join()).isPresent().get().satisfies(Lease::release);
        }
    }

    @Test
    void ap2_a_wait_that_ends_while_its_attempt_is_under_way_is_decided_by_the_answer() {
        CompletableFuture<Attempt> late = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> late;
        CompletableFuture<Optional<Lease>> timed = client.lock("a").tryAcquireAsync(Duration.ofSeconds(1));
        CompletableFuture<Optional<Lease>> behind = client.lock("a").tryAcquireAsync(Duration.ofMillis(300));
        time.advance(Duration.ofSeconds(2));
        assertThat(timed).isNotDone();
        assertThat(behind).isNotDone();
        late.completeExceptionally(failure(BackendFailure.Kind.UNAVAILABLE));
        for (CompletableFuture<Optional<Lease>> wait : List.of(timed, behind)) {
            assertThat(wait)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(BackendUnavailableException.class);
        }
        assertThat(unknown).hasValue(2);
    }

    private <T> CompletionStage<T> later(Duration delay, Supplier<CompletionStage<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        time.schedule(delay, () -> call.get().thenAccept(answer::complete));
        return answer;
    }

    @Test
    void a_late_failure_of_an_abandoned_wait_does_not_fail_one_that_was_answered_since() {
        LockClient impatient = LockClient.over(backend, options.unavailableAfter(Duration.ofSeconds(1)));
        assertThat(other.lock("a").tryAcquire()).isPresent();
        CompletableFuture<Attempt> late = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> late;
        CompletableFuture<Lease> abandoned = impatient.lock("a").acquireAsync();
        backend.onAcquire = (claim, call) -> call.get();
        CompletableFuture<Lease> waiting = impatient.lock("a").acquireAsync();
        abandoned.cancel(false);
        time.advance(Duration.ofSeconds(3));
        late.completeExceptionally(failure(BackendFailure.Kind.UNAVAILABLE));
        assertThat(waiting).isNotDone();
    }

    @Test
    void a_local_wait_is_empty_at_its_end_however_quickly_the_lock_changes_hands_before_it() {
        LockClient strict = LockClient.over(backend, options.handOff(HandOff.off()));
        Lease held = strict.lock("a").tryAcquire().orElseThrow();
        backend.onAcquire = (claim, call) -> later(Duration.ofMillis(30), call);
        List<CompletableFuture<Void>> busy = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            busy.add(strict.lock("a").acquireAsync().thenAccept(Lease::releaseAsync));
        }
        CompletableFuture<Optional<Lease>> timed = strict.lock("a").tryAcquireAsync(Duration.ofMillis(100));
        held.releaseAsync();
        time.advance(Duration.ofMillis(140));
        assertThat(timed).isCompletedWithValue(Optional.empty());
        time.advance(Duration.ofSeconds(3));
        assertThat(busy).allSatisfy(done -> assertThat(done).isCompleted());
    }

    @Test
    void a_local_wait_is_unavailable_at_its_end_if_the_attempt_before_it_fails() {
        Lease held = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> first = client.lock("a", FIVE_SECONDS).acquireAsync();
        CompletableFuture<Optional<Lease>> timed = client.lock("a").tryAcquireAsync(Duration.ofMillis(100));
        CompletableFuture<Attempt> late = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> late;
        held.releaseAsync();
        time.advance(Duration.ofMillis(140));
        assertThat(timed).isNotDone();
        late.completeExceptionally(failure(BackendFailure.Kind.UNAVAILABLE));
        assertThat(first).isNotDone();
        assertThat(timed)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void an_asynchronous_wait_that_its_caller_completes_is_withdrawn_like_a_cancelled_one() {
        assertThat(other.lock("a").tryAcquire()).isPresent();
        CompletableFuture<Lease> waiting = client.lock("a").acquireAsync();
        waiting.completeExceptionally(new TimeoutException("as orTimeout does"));
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void le6_a_loss_that_is_told_before_the_grant_that_it_ends_is_not_dropped() {
        CompletableFuture<Void> delay = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> {
            CompletionStage<Attempt> granted = call.get();
            return delay.thenCompose(now -> granted);
        };
        CompletableFuture<Lease> acquired = client.lock("a").acquireAsync();
        backend.onAcquire = (claim, call) -> call.get();
        backend.signal(0, Signal.LOST);
        delay.complete(null);
        time.advance(Duration.ofSeconds(1));
        assertThat(acquired.join().state()).isEqualTo(LeaseState.HELD);
        assertThat(backend.released)
                .containsExactly(List.copyOf(backend.listeners.keySet()).get(0));
        backend.signal(1, Signal.LOST);
        assertThat(acquired.join().state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void le6_a_doubt_that_is_told_before_the_grant_stays_until_it_is_confirmed() {
        CompletableFuture<Void> delay = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> delay.thenCompose(now -> call.get());
        CompletableFuture<Lease> acquired = client.lock("a").acquireAsync();
        backend.signal(0, Signal.SUSPECT);
        delay.complete(null);
        assertThat(acquired.join().state()).isEqualTo(LeaseState.SUSPECT);
        backend.signal(0, Signal.RESTORED);
        time.advance(Duration.ofMillis(1));
        assertThat(acquired.join().state()).isEqualTo(LeaseState.HELD);
        assertThat(backend.renewed).hasSize(1);
        time.advance(Duration.ofSeconds(5));
        assertThat(backend.renewed).as("the old news is answered").hasSize(1);
    }

    @Test
    void le6_a_loss_that_is_told_while_the_lock_is_handed_over_ends_the_next_lease() {
        AtomicInteger handingOver = new AtomicInteger();
        LockClient handing = LockClient.over(backend, options.listener(event -> {
            if (event instanceof LockEvent.HandedOff) {
                handingOver.incrementAndGet();
                backend.signal(0, Signal.LOST);
            }
        }));
        Lease lease = handing.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> next = handing.lock("a").acquireAsync();
        lease.release();
        assertThat(handingOver).hasValue(1);
        assertThat(next.join().state()).isEqualTo(LeaseState.LOST);
    }
}
