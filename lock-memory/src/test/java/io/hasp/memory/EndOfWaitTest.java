package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait ends while something is unanswered: what it ends with is decided by the answer. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndOfWaitTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final AtomicInteger unknown = new AtomicInteger();
    private final ClientOptions options = ClientOptions.defaults()
            .timing(time)
            .executor(Runnable::run)
            .addListener(event -> {
                if (event instanceof LockEvent.OutcomeUnknown) {
                    unknown.incrementAndGet();
                }
            });
    private final LockClient client = LockClient.over(backend, options);

    private void everyAttemptTakes(Duration delay) {
        backend.onAcquire = (claim, call) -> {
            DelayedAttempt attempt = new DelayedAttempt(call);
            time.schedule(delay, attempt::isAnswered);
            return attempt.answer();
        };
    }

    private static void assertUnavailable(CompletableFuture<?> wait) {
        assertThat(wait).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(BackendException.class);
    }

    @Test
    void ap2_a_wait_that_ends_while_its_attempt_is_under_way_takes_the_lock_that_it_grants() {
        everyAttemptTakes(Duration.ofMillis(60));
        for (int wait : new int[] {1, 10, 59, 100}) {
            CompletableFuture<Optional<Lease>> timed = client.lock("a").tryAcquireAsync(Duration.ofMillis(wait));

            time.advance(Duration.ofMillis(60));

            assertThat(timed).as("a wait of %s ms for a free lock", wait).isDone();
            assertThat(timed.join()).isPresent().get().satisfies(Lease::release);
        }
    }

    @Test
    void ap2_a_wait_that_ends_while_its_attempt_is_under_way_is_decided_by_the_answer() {
        DelayedAttempt attempt = DelayedAttempt.next(backend);
        CompletableFuture<Optional<Lease>> timed = client.lock("a").tryAcquireAsync(Duration.ofSeconds(1));
        CompletableFuture<Optional<Lease>> behind = client.lock("a").tryAcquireAsync(Duration.ofMillis(300));
        time.advance(Duration.ofSeconds(2));
        assertThat(timed).isNotDone();
        assertThat(behind).isNotDone();

        attempt.fails();

        assertUnavailable(timed);
        assertUnavailable(behind);
        assertThat(unknown).hasValue(2);
    }

    @Test
    void a_local_wait_is_unavailable_at_its_end_if_the_attempt_before_it_fails() {
        Lease held = client.lock("a").tryAcquire().orElseThrow();
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));
        CompletableFuture<Lease> first = client.lock("a", fixed).acquireAsync();
        CompletableFuture<Optional<Lease>> behind = client.lock("a").tryAcquireAsync(Duration.ofMillis(100));
        DelayedAttempt attempt = DelayedAttempt.next(backend);
        held.releaseAsync();
        time.advance(Duration.ofMillis(140));
        assertThat(behind).isNotDone();

        attempt.fails();

        assertThat(first).isNotDone();
        assertUnavailable(behind);
    }

    @Test
    void a_local_wait_is_empty_at_its_end_however_quickly_the_lock_changes_hands_before_it() {
        LockClient strict = LockClient.over(backend, options.handOff(false));
        Lease held = strict.lock("a").tryAcquire().orElseThrow();
        everyAttemptTakes(Duration.ofMillis(30));
        List<CompletableFuture<Void>> busy = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            busy.add(strict.lock("a").acquireAsync().thenAccept(Lease::releaseAsync));
        }
        CompletableFuture<Optional<Lease>> behind = strict.lock("a").tryAcquireAsync(Duration.ofMillis(100));
        held.releaseAsync();

        time.advance(Duration.ofMillis(140));

        assertThat(behind).isCompletedWithValue(Optional.empty());
        time.advance(Duration.ofSeconds(3));
        assertThat(busy).allSatisfy(done -> assertThat(done).isCompleted());
    }
}
