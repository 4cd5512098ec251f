package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer comes when its caller is gone, or when it is too late to be of use. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateAnswerTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(backend, options);
    private final LockClient other = LockClient.over(server.link(), options);

    @Test
    void a_request_that_its_withdrawal_overtook_is_withdrawn_again() {
        Lease elsewhere = other.lock("a").tryAcquire().orElseThrow();
        DelayedAttempt attempt = DelayedAttempt.next(backend);
        client.lock("a").acquireAsync().cancel(false);
        assertThat(backend.released).as("withdrawals").hasSize(1);

        attempt.isAnswered();
        elsewhere.release();

        assertThat(server.size()).isZero();
    }

    @Test
    void fa5_a_request_that_its_withdrawal_overtook_and_whose_answer_is_lost_is_withdrawn_again() {
        DelayedAttempt attempt = DelayedAttempt.next(backend);
        client.lock("a").acquireAsync().cancel(false);

        attempt.reachesServer();
        attempt.fails();

        assertThat(server.size()).isZero();
    }

    @Test
    void an_asynchronous_wait_that_its_caller_completes_is_withdrawn_like_a_cancelled_one() {
        assertThat(other.lock("a").tryAcquire()).isPresent();
        CompletableFuture<Lease> waiting = client.lock("a").acquireAsync();

        waiting.completeExceptionally(new TimeoutException("as orTimeout does"));

        assertThat(backend.released).hasSize(1);
    }

    @Test
    void a_late_failure_of_an_abandoned_wait_does_not_fail_one_that_was_answered_since() {
        LockClient impatient = LockClient.over(backend, options.unavailableAfter(Duration.ofSeconds(1)));
        assertThat(other.lock("a").tryAcquire()).isPresent();
        DelayedAttempt attempt = DelayedAttempt.next(backend);
        CompletableFuture<Lease> abandoned = impatient.lock("a").acquireAsync();
        CompletableFuture<Lease> waiting = impatient.lock("a").acquireAsync();
        abandoned.cancel(false);
        time.advance(Duration.ofSeconds(3));

        attempt.fails();

        assertThat(waiting).isNotDone();
    }

    @Test
    void an_extension_that_is_answered_too_late_tells_the_loss_and_lets_the_next_one_in() {
        Lease lease = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(5)))
                .tryAcquire()
                .orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, seen::add);
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        backend.onRenew = (held, call) -> {
            CompletionStage<List<Renewal>> answer = call.get();
            time.pause(Duration.ofSeconds(6));
            return answer;
        };

        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(20))).isInstanceOf(LeaseLostException.class);

        assertThat(seen).containsExactly(LeaseState.LOST);
        time.advance(Duration.ofSeconds(1));
        assertThat(next).isDone();
    }
}
