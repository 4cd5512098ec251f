package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.TryResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease is held until the future of the work completes, and the caller's future completes after the release. */
class AsyncWorkTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(link, options);
    private final LockClient other = LockClient.over(server.link(), options.onLoss(OnLoss.INTERRUPT));
    private final CompletableFuture<String> stage = new CompletableFuture<>();
    private final List<Lease> leases = new ArrayList<>();

    @AfterEach
    void close() {
        link.heal();
        client.closeNow();
        other.closeNow();
        assertThat(server.size()).isZero();
    }

    private CompletableFuture<String> work(Lease lease) {
        leases.add(lease);
        return stage;
    }

    private LeaseState state() {
        return leases.get(0).state();
    }

    private static LockOptions fixed() {
        return LockOptions.defaults().fixedLease(Duration.ofSeconds(5));
    }

    @Test
    void the_lease_is_held_until_the_future_completes() {
        CompletableFuture<String> call = client.lock("a").callAsync(this::work);
        time.advance(Duration.ofMinutes(5));
        assertThat(state()).isEqualTo(LeaseState.HELD);
        assertThat(call).isNotDone();
        stage.complete("done");
        assertThat(call).isCompletedWithValue("done");
        assertThat(state()).isEqualTo(LeaseState.RELEASED);
        assertThat(server.size()).isZero();
    }

    @Test
    void the_work_never_runs_on_its_caller_s_thread() {
        try (LockClient threaded = LockClient.over(server.link(), ClientOptions.defaults())) {
            for (int i = 0; i < 20; i++) {
                assertThat(threaded.lock("a")
                                .callAsync(lease -> CompletableFuture.completedFuture(Thread.currentThread())))
                        .succeedsWithin(Duration.ofSeconds(10))
                        .isNotSameAs(Thread.currentThread());
            }
        }
    }

    @Test
    void a_failure_of_the_work_is_the_caller_s_after_the_release() {
        CompletableFuture<String> call = client.lock("a").callAsync(this::work);
        stage.completeExceptionally(new IOException("broken"));
        assertThatThrownBy(call::get).hasCauseInstanceOf(IOException.class);
        assertThat(server.size()).isZero();
        CompletableFuture<String> thrown = client.lock("a").callAsync(lease -> {
            throw new IllegalStateException("at once");
        });
        assertThatThrownBy(thrown::get).hasCauseInstanceOf(IllegalStateException.class);
        CompletableFuture<String> none = client.lock("a").callAsync(AsyncWorkTest::nothing);
        assertThatThrownBy(none::get)
                .hasCauseInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("the work returned no future");
        assertThat(server.size()).isZero();
    }

    @SuppressWarnings("NullAway") // What a caller without a null checker may do.
    private static CompletableFuture<String> nothing(Lease lease) {
        return null;
    }

    @Test
    void a_try_is_empty_while_others_hold_the_lock() {
        Lease lease = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<TryResult<String>> tried = client.lock("a").tryCallAsync(Duration.ofSeconds(1), this::work);
        time.advance(Duration.ofSeconds(1));
        assertThat(tried).isCompletedWithValue(TryResult.busy());
        assertThat(leases).isEmpty();
        lease.release();
        CompletableFuture<TryResult<String>> second = client.lock("a").tryCallAsync(Duration.ZERO, this::work);
        stage.complete("done");
        assertThat(second).isCompletedWithValue(new TryResult.Returned<>("done"));
    }

    @Test
    void a_loss_cancels_the_work_if_that_is_wanted() {
        CompletableFuture<String> call = other.lock("a", fixed()).callAsync(this::work);
        time.advance(Duration.ofSeconds(5));
        assertThat(stage).isCancelled();
        assertThatThrownBy(call::get).hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_loss_lets_the_work_go_on_otherwise_and_is_told_at_its_end() {
        CompletableFuture<String> call = client.lock("a", fixed()).callAsync(this::work);
        time.advance(Duration.ofMinutes(1));
        assertThat(stage).isNotDone();
        assertThat(call).isNotDone();
        stage.completeExceptionally(new IOException("broken"));
        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOf(LeaseLostException.class)
                .satisfies(
                        loss -> assertThat(loss.getSuppressed()).singleElement().isInstanceOf(IOException.class));
    }

    @Test
    void who_cancels_withdraws() {
        Lease lease = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<String> waiting = client.lock("a").callAsync(this::work);
        assertThat(waiting.cancel(false)).isTrue();
        lease.release();
        time.advance(Duration.ofSeconds(1));
        assertThat(server.size()).isZero();
        assertThat(leases).isEmpty();
    }

    @Test
    void who_cancels_a_call_under_way_cancels_its_work() {
        CompletableFuture<String> call = client.lock("a").callAsync(this::work);
        call.cancel(false);
        assertThat(stage).isCancelled();
        assertThat(server.size()).isZero();
    }

    @Test
    void work_that_cancels_itself_is_cancelled() {
        CompletableFuture<String> call = client.lock("a").callAsync(this::work);
        stage.cancel(false);
        assertThatThrownBy(call::get).isInstanceOf(CancellationException.class);
        assertThat(server.size()).isZero();
    }

    @Test
    void a_release_that_is_not_answered_does_not_hide_what_the_work_did() {
        CompletableFuture<String> call = client.lock("a").callAsync(this::work);
        link.partition();
        stage.complete("done");
        time.advance(Duration.ofMinutes(1));
        assertThat(call).isCompletedWithValue("done");
        link.heal();
        time.advance(Duration.ofMinutes(1));
    }

    @Test
    void a_closed_client_fails_and_bad_arguments_are_refused() {
        client.close();
        assertThatThrownBy(client.lock("a").callAsync(this::work)::get).hasCauseInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> other.lock("a").tryCallAsync(Duration.ofSeconds(-1), this::work))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("PT-1S");
    }
}
