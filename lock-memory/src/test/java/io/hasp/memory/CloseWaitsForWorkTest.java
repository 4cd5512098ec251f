package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.OnLoss;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AP10: a client that closes gives no lock back while work under it runs. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseWaitsForWorkTest {
    private static final Executor THREADS = task -> new Thread(task, "beside the test").start();
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final LockClient other = LockClient.over(server.link(), ClientOptions.defaults());

    private LockClient client(Duration closeWithin, OnLoss onLoss) {
        return LockClient.over(
                server.link(),
                ClientOptions.defaults()
                        .renewedLease(LEASE)
                        .closeWithin(closeWithin)
                        .onLoss(onLoss));
    }

    private static Lease taken(LockClient client) {
        return CompletableFuture.supplyAsync(() -> client.lock("a").tryAcquire(), THREADS)
                .join()
                .orElseThrow();
    }

    private static CompletableFuture<Void> closing(LockClient client) {
        return CompletableFuture.runAsync(client::close, THREADS);
    }

    @Test
    void ap10_a_lease_taken_by_hand_is_renewed_and_waited_for_and_waiters_fail_at_once() throws Exception {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        Lease lease = taken(client);
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        CompletableFuture<Void> closed = closing(client);
        assertThat(waiter)
                .failsWithin(Duration.ofSeconds(2))
                .withThrowableThat()
                .withCauseInstanceOf(ClientClosedException.class);
        assertThat(other.lock("a").tryAcquire(LEASE.plusSeconds(1)))
                .as("for longer than the lease")
                .isEmpty();
        assertThat(closed).isNotDone();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(closed).succeedsWithin(Duration.ofSeconds(5));
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_work_that_ends_with_a_future_is_waited_for() {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        CompletableFuture<Integer> work = new CompletableFuture<>();
        CompletableFuture<Integer> call = client.lock("a").callAsync(lease -> work);
        await().until(() -> server.present("a") == 1);
        CompletableFuture<Void> closed = closing(client);
        assertThat(closed).failsWithin(Duration.ofMillis(500));
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        work.complete(7);
        assertThat(call).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(7);
        assertThat(closed).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    void ap10_what_is_held_when_the_time_is_over_ends_with_its_lease_and_not_before() throws Exception {
        LockClient client = client(Duration.ZERO, OnLoss.CONTINUE);
        Lease lease = taken(client);
        client.close();
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        Lease next = other.lock("a").tryAcquire(LEASE.multipliedBy(3)).orElseThrow();
        assertThat(lease.state()).as("when another client has the lock").isEqualTo(LeaseState.LOST);
        next.release();
    }

    @Test
    void ap10_a_lease_that_was_left_is_released_by_its_work() {
        LockClient client = client(Duration.ZERO, OnLoss.CONTINUE);
        Lease lease = taken(client);
        client.close();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_close_now_gives_back_what_a_close_waits_for() {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        Lease lease = taken(client);
        CompletableFuture<Void> closed = closing(client);
        assertThat(closed).failsWithin(Duration.ofMillis(200));
        client.closeNow();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(closed).succeedsWithin(Duration.ofSeconds(2));
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_close_now_gives_back_what_a_close_left() {
        LockClient client = client(Duration.ZERO, OnLoss.CONTINUE);
        Lease lease = taken(client);
        client.close();
        client.closeNow();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_work_that_heeds_interrupts_ends_when_the_time_is_over_and_its_lock_is_given_back() {
        LockClient client = client(Duration.ofMillis(200), OnLoss.INTERRUPT);
        CountDownLatch working = new CountDownLatch(1);
        CompletableFuture<Object> work = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                client.lock("a").run(lease -> {
                    working.countDown();
                    new CountDownLatch(1).await();
                });
            } catch (InterruptedException e) {
                work.complete(e);
            }
        });
        await().until(() -> working.getCount() == 0);
        client.close();
        assertThat(work).succeedsWithin(Duration.ofSeconds(2));
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_close_inside_of_its_own_work_returns_and_leaves_the_lock() throws Exception {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        client.lock("a").run(lease -> {
            client.close();
            assertThat(other.lock("a").tryAcquire()).isEmpty();
        });
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }
}
