package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AP6: what happens to holders, waiters and futures when a client is closed. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class EngineCloseTest {
    private static final Executor THREADS = task -> new Thread(task, "beside the test").start();

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(backend, options);
    private final LockClient other = LockClient.over(server.link(), options);

    @Test
    void twenty_thousand_waiters_are_told_that_the_client_is_closed() {
        assertThat(other.lock("a").tryAcquire()).isPresent();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            waiters.add(client.lock("a").acquireAsync());
        }
        client.close();
        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter).isCompletedExceptionally());
    }

    @Test
    void after_close_every_future_completes() throws Exception {
        LockClient own = LockClient.over(new MemoryServer(new RealClock()).link(), ClientOptions.defaults());
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        own.closeNow();
        assertThat(lease.releaseAsync().get(5, TimeUnit.SECONDS)).isNotNull();
        assertThat(own.lock("a").acquireAsync()).failsWithin(Duration.ofSeconds(5));
    }

    @Test
    void ap6_close_releases_holders_fails_all_kinds_of_waiters_and_is_idempotent() {
        Lease held = client.lock("a").tryAcquire().orElseThrow();
        Lock view = client.lock("b").asReentrantLock();
        assertThat(view.tryLock()).isTrue();
        CompletableFuture<Lease> behindOwn = client.lock("a").acquireAsync();
        Lease elsewhere = other.lock("c").tryAcquire().orElseThrow();
        CompletableFuture<Lease> behindOther = client.lock("c").acquireAsync();
        CompletableFuture<Optional<Lease>> timed = client.lock("c").tryAcquireAsync(Duration.ofMinutes(1));
        client.closeNow();
        client.closeNow();
        assertThat(List.of(behindOwn, behindOther, timed))
                .allSatisfy(waiter -> assertThat(waiter)
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withCauseInstanceOf(ClientClosedException.class));
        assertThat(held.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(backend.closed).isTrue();
        elsewhere.release();
        assertThat(server.size()).isZero();
    }

    @Test
    void li9_a_waiter_whose_client_was_closed_behind_a_cut_link_disturbs_no_release() throws Exception {
        MemoryServer real = new MemoryServer(new RealClock());
        MemoryLink cut = real.link();
        LockClient dead = LockClient.over(cut, ClientOptions.defaults());
        try (LockClient alive = LockClient.over(real.link(), ClientOptions.defaults())) {
            Lease held = alive.lock("a").tryAcquire().orElseThrow();
            CompletableFuture<Lease> waiter = dead.lock("a").acquireAsync();
            await().until(() -> real.present("a") == 2);
            cut.partition();
            dead.close();
            cut.heal();
            assertThat(waiter).failsWithin(Duration.ofSeconds(5));

            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(alive.lock("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
        }
    }

    @Test
    void close_waits_for_five_seconds_in_all_when_nothing_is_answered_and_no_call_hangs() {
        assertThat(client.lock("a").tryAcquire()).isPresent();
        assertThat(other.lock("b").tryAcquire()).isPresent();
        Lease released = client.lock("c").tryAcquire().orElseThrow();
        Lease releasedAsync = client.lock("d").tryAcquire().orElseThrow();
        Lease extended = client.lock("e", LockOptions.defaults().fixedLease(Duration.ofMinutes(1)))
                .tryAcquire()
                .orElseThrow();
        CompletableFuture<Lease> waiter = client.lock("b").acquireAsync();
        CompletableFuture<Void> working = new CompletableFuture<>();
        CompletableFuture<Integer> ends = new CompletableFuture<>();
        CompletableFuture<Integer> work = CompletableFuture.supplyAsync(() -> result(working, ends), THREADS);
        working.join();
        backend.onRelease = (claim, call) -> new CompletableFuture<>();
        backend.onRenew = (held, call) -> new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> new CompletableFuture<>();
        List<CompletableFuture<?>> calls = List.of(
                CompletableFuture.supplyAsync(() -> client.lock("f").tryAcquire(), THREADS),
                client.lock("g").tryAcquireAsync(Duration.ZERO),
                CompletableFuture.supplyAsync(released::release, THREADS),
                CompletableFuture.runAsync(() -> extended.extend(Duration.ofMinutes(2)), THREADS),
                releasedAsync.releaseAsync());
        await().until(() -> released.state() == LeaseState.RELEASED && !backend.renewed.isEmpty());
        await().until(() -> backend.released.size() == 2);
        ends.complete(1);
        await().until(() -> backend.released.size() == 3);
        long start = System.nanoTime();
        client.closeNow();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
        assertThat(waiter).isCompletedExceptionally();
        assertThat(backend.closed).isTrue();
        assertThat(calls)
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(Duration.ofSeconds(5))
                        .withThrowableThat()
                        .havingRootCause()
                        .isInstanceOf(ClientClosedException.class));
        assertThat(work)
                .as("work that ended under its lease, before close")
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo(1);
    }

    private Integer result(CompletableFuture<Void> working, CompletableFuture<Integer> ends) {
        try {
            return client.lock("h").call(lease -> {
                working.complete(null);
                return ends.join();
            });
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its lease was released in the middle of the work, so another client may have had the lock. */
    @Test
    void work_whose_client_is_closed_under_it_is_told() {
        assertThatThrownBy(() -> client.lock("a").call(lease -> {
                    client.closeNow();
                    return 1;
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("closeNow()");
    }

    @Test
    void work_that_gives_its_lease_back_itself_is_no_loss() throws InterruptedException {
        assertThat(client.lock("a").<Integer, RuntimeException>call(lease -> {
                    lease.release();
                    client.close();
                    return 1;
                }))
                .isEqualTo(1);
    }

    @Test
    void close_waits_for_a_release_that_its_executor_has_not_begun() {
        List<Runnable> neverRun = new ArrayList<>();
        LockClient stuck = LockClient.over(
                new ScriptedBackend(server.link()),
                ClientOptions.defaults().timing(time).executor(neverRun::add));
        Lease lease = stuck.lock("a").tryAcquire().orElseThrow();
        assertThat(stuck.lock("b").tryAcquire()).isPresent();
        lease.releaseAsync();
        stuck.closeNow();
        assertThat(server.size()).isZero();
    }

    @Test
    void close_on_the_only_thread_of_its_executor_releases_everything_at_once() {
        ExecutorService single = Executors.newSingleThreadExecutor();
        try {
            MemoryServer real = new MemoryServer(new RealClock());
            LockClient own =
                    LockClient.over(real.link(), ClientOptions.defaults().executor(single));
            CompletableFuture<Duration> closed = own.lock("a").acquireAsync().thenApply(lease -> {
                own.lock("b").tryAcquire().orElseThrow().releaseAsync();
                long start = System.nanoTime();
                own.closeNow();
                return Duration.ofNanos(System.nanoTime() - start);
            });
            assertThat(closed)
                    .succeedsWithin(Duration.ofSeconds(10))
                    .satisfies(took -> assertThat(took).isLessThan(Duration.ofSeconds(4)));
            assertThat(real.size()).isZero();
        } finally {
            single.shutdownNow();
        }
    }

    @Test
    void close_that_is_interrupted_still_waits_for_what_is_under_way_and_keeps_the_interrupt() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Boolean> closedBeforeTheRelease = new CompletableFuture<>();
        backend.onRelease = (claim, call) -> CompletableFuture.supplyAsync(
                () -> {
                    closedBeforeTheRelease.complete(backend.closed);
                    return call.get().toCompletableFuture().join();
                },
                CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS, THREADS));
        Thread.currentThread().interrupt();
        client.closeNow();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(closedBeforeTheRelease).isCompletedWithValue(false);
        assertThat(server.size()).isZero();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void close_during_an_outage_that_ends_in_time_leaves_nothing() {
        MemoryServer real = new MemoryServer(new RealClock());
        MemoryLink link = real.link();
        LockClient own = LockClient.over(link, ClientOptions.defaults());
        assertThat(own.lock("a").tryAcquire()).isPresent();
        link.partition();
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, THREADS).execute(link::heal);
        own.closeNow();
        assertThat(real.size()).isZero();
    }

    @Test
    void a_second_close_at_the_same_time_waits_for_the_end_of_the_first() throws Exception {
        assertThat(client.lock("a").tryAcquire()).isPresent();
        CountDownLatch releasing = new CountDownLatch(1);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        backend.onRelease = (claim, call) -> {
            releasing.countDown();
            return answer.thenCompose(now -> call.get());
        };
        CompletableFuture<Void> first = CompletableFuture.runAsync(client::closeNow, THREADS);
        releasing.await();
        CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(
                () -> {
                    client.closeNow();
                    return backend.closed;
                },
                THREADS);
        assertThat(second).failsWithin(Duration.ofMillis(300));
        answer.complete(null);
        assertThat(first).succeedsWithin(Duration.ofSeconds(5));
        assertThat(second).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
    }

    @Test
    void a_close_after_a_closeNow_whose_backend_failed_to_close_returns() {
        backend.onClose = () -> {
            throw new IllegalStateException("broken");
        };
        assertThat(CompletableFuture.runAsync(client::closeNow, THREADS)).failsWithin(Duration.ofSeconds(5));
        assertThat(CompletableFuture.runAsync(client::close, THREADS)).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    void close_waits_for_the_answer_of_an_attempt_that_its_withdrawal_overtook() {
        CompletableFuture<Void> delay = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> delay.thenCompose(now -> call.get());
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS, THREADS).execute(() -> delay.complete(null));
        client.close();
        assertThat(waiter).isCompletedExceptionally();
        assertThat(delay).isDone();
        assertThat(server.size()).isZero();
    }
}
