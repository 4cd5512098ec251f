package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Neither a thread that does not start, nor an error, nor whatever the user blocks ends or delays renewal. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineThreadsTest {
    private static final int MORE_THAN_ANY_POOL = 40;
    private static final Duration LEASE = Duration.ofMillis(400);

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final MemoryServer server = new MemoryServer(new RealClock());
    private final ScriptedBackend backend = new ScriptedBackend(server.link());

    @AfterEach
    void unblock() {
        blocked.countDown();
    }

    private void block() {
        try {
            blocked.await(25, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A client on virtual time that holds a lock and survives what the test does to it. */
    private static void staysHeld(LockClient client, VirtualTime time, Lease lease) {
        time.advance(Duration.ofMinutes(2));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        Lease later = client.lock("later").tryAcquire().orElseThrow();
        time.advance(Duration.ofMinutes(2));
        assertThat(later.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void le2_a_thread_that_does_not_start_does_not_end_renewal() {
        VirtualTime time = new VirtualTime();
        AtomicInteger failures = new AtomicInteger();
        Executor executor = task -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        };
        ClientOptions options = ClientOptions.defaults().timing(time).executor(executor);
        LockClient client = LockClient.over(new MemoryServer(time).link(), options);
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        failures.set(3);
        staysHeld(client, time, lease);
        assertThat(failures).hasNegativeValue();
    }

    @Test
    void li3_a_thread_that_does_not_start_does_not_wedge_the_queue() {
        VirtualTime time = new VirtualTime();
        AtomicInteger failures = new AtomicInteger();
        Executor executor = task -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        };
        ClientOptions options = ClientOptions.defaults().timing(time).executor(executor);
        LockClient client = LockClient.over(new MemoryServer(time).link(), options);
        failures.set(2);
        CompletableFuture<Lease> first = client.lock("a").acquireAsync();
        CompletableFuture<Void> second = client.lock("a").acquireAsync().thenAccept(Lease::close);
        time.advance(Duration.ofSeconds(1));
        assertThat(first).isCompleted();
        failures.set(2);
        first.join().releaseAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(second).isCompleted();
    }

    @Test
    void le2_futures_whose_continuations_block_hold_up_neither_renewal_nor_news() {
        try (LockClient client =
                LockClient.over(backend, ClientOptions.defaults().renewedLease(LEASE))) {
            Lease lease = client.lock("held").tryAcquire().orElseThrow();
            Lease doomed = client.lock("doomed").tryAcquire().orElseThrow();
            CompletableFuture<LeaseState> told = new CompletableFuture<>();
            doomed.onChange(Runnable::run, state -> {
                if (state == LeaseState.LOST) {
                    told.complete(state);
                }
            });
            AtomicInteger blocking = new AtomicInteger();
            Thread tester = Thread.currentThread();
            for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
                client.lock("a" + i).acquireAsync().thenAccept(taken -> {
                    // One that is complete already runs its continuation here.
                    if (Thread.currentThread() != tester) {
                        blocking.incrementAndGet();
                        block();
                    }
                });
            }
            await().until(() -> blocking.get() >= 32);
            staysHeldForSeveralLeases(lease);
            server.expire("doomed");
            assertThat(told).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(LeaseState.LOST);
            blocked.countDown();
            client.closeNow();
        }
    }

    @Test
    void le2_attempts_that_block_in_the_backend_do_not_hold_up_renewal() {
        try (LockClient client =
                LockClient.over(backend, ClientOptions.defaults().renewedLease(LEASE))) {
            Lease lease = client.lock("held").tryAcquire().orElseThrow();
            AtomicInteger blocking = new AtomicInteger();
            backend.onAcquire = (claim, call) -> {
                blocking.incrementAndGet();
                block();
                return call.get();
            };
            List<CompletableFuture<Lease>> attempts = new ArrayList<>();
            for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
                attempts.add(client.lock("a" + i).acquireAsync());
            }
            await().until(() -> blocking.get() >= 32);
            staysHeldForSeveralLeases(lease);
            blocked.countDown();
            await().until(() -> attempts.stream().allMatch(CompletableFuture::isDone));
            client.closeNow();
        }
    }

    @Test
    void le2_an_observer_that_blocks_where_it_is_told_costs_no_other_lease() {
        try (LockClient client =
                LockClient.over(backend, ClientOptions.defaults().renewedLease(LEASE))) {
            List<Lease> others = new ArrayList<>();
            for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
                others.add(client.lock("a" + i).tryAcquire().orElseThrow());
            }
            Lease lease = client.lock("observed").tryAcquire().orElseThrow();
            CompletableFuture<LeaseState> told = new CompletableFuture<>();
            lease.onChange(Runnable::run, state -> {
                told.complete(state);
                block();
            });
            server.expire("observed");
            assertThat(told).succeedsWithin(Duration.ofSeconds(5));
            staysHeldForSeveralLeases(others.get(0));
            assertThat(others).allSatisfy(other -> assertThat(other.state()).isNotEqualTo(LeaseState.LOST));
            blocked.countDown();
        }
    }

    /** Held by its own clock, and confirmed again and again: past the end of the lease that was there. */
    private void staysHeldForSeveralLeases(Lease lease) {
        long begun = System.nanoTime();
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            assertThat(lease.state()).isNotEqualTo(LeaseState.LOST);
            return System.nanoTime() - begun > 3 * LEASE.toNanos() || lease.state() == LeaseState.LOST;
        });
        assertThat(lease.state()).isNotEqualTo(LeaseState.LOST);
    }
}
