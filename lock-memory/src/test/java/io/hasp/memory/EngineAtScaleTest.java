package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many cycles, many locks, many threads: what one use leaves behind would show. */
@Timeout(120)
@InTier(Tier.STANDARD)
class EngineAtScaleTest {
    private static final long MEGABYTE = 1 << 20;

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        List<Long> samples = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            System.gc();
            samples.add(runtime.totalMemory() - runtime.freeMemory());
        }
        return samples.stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    @Test
    void ap8_a_million_cycles_leave_heap_threads_timers_and_keys_flat() throws Exception {
        try (LockClient client =
                LockClient.over(server.link(), ClientOptions.defaults().timing(time))) {
            cycles(client, 10_000);
            long heap = usedHeap();
            int threads = Thread.activeCount();
            cycles(client, 1_000_000);
            assertThat(usedHeap() - heap).isLessThan(4 * MEGABYTE);
            assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 1);
            assertThat(server.size()).isZero();
            assertThat(time.scheduled()).isLessThan(10);
        }
    }

    private static void cycles(LockClient client, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            try (Lease lease = client.lock("name-" + i).acquire()) {
                assertThat(lease.fencingToken()).isPositive();
            }
        }
    }

    @Test
    void ap8_ten_thousand_locks_at_once_are_all_renewed_and_all_given_back() {
        try (LockClient client = LockClient.over(
                server.link(), ClientOptions.defaults().timing(time).executor(Runnable::run))) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                leases.add(client.lock("name-" + i).tryAcquire().orElseThrow());
            }
            time.advance(Duration.ofMinutes(10));
            assertThat(leases).allSatisfy(lease -> assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED));
            assertThat(server.size()).isZero();
        }
    }

    @Test
    void ap5_ten_thousand_virtual_threads_share_one_name_and_a_pool_of_one() throws Exception {
        Optional<ExecutorService> offered = virtualThreads();
        assumeTrue(offered.isPresent(), "skipped: virtual threads need JDK 21 or newer, this is " + Runtime.version());
        ExecutorService virtual = offered.orElseThrow();
        ExecutorService one = Executors.newSingleThreadExecutor();
        AtomicInteger done = new AtomicInteger();
        MemoryServer real = new MemoryServer(new RealClock());
        try (LockClient client =
                LockClient.over(real.link(), ClientOptions.defaults().executor(one))) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                all.add(CompletableFuture.runAsync(() -> cycle(client, done), virtual));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(100, TimeUnit.SECONDS);
            assertThat(done).hasValue(10_000);
        } finally {
            one.shutdown();
            virtual.shutdown();
        }
    }

    /** Each gets the lock within the release of the one before it, on an executor that runs tasks on the spot. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ap5_twenty_thousand_waiters_that_release_where_they_are_told_of_their_lease_need_no_stack(boolean handOff)
            throws Exception {
        ClientOptions options =
                ClientOptions.defaults().timing(time).executor(Runnable::run).handOff(handOff);
        AtomicInteger done = new AtomicInteger();
        try (LockClient client = LockClient.over(server.link(), options)) {
            Lease first = client.lock("one").acquire();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                all.add(client.lock("one").acquireAsync().thenAccept(lease -> {
                    lease.release();
                    done.incrementAndGet();
                }));
            }
            first.release();
            assertThat(done).hasValue(20_000);
            assertThat(all).allMatch(CompletableFuture::isDone);
        }
        assertThat(server.size()).isZero();
    }

    private static void cycle(LockClient client, AtomicInteger done) {
        try (Lease lease = client.lock("one").acquire()) {
            assertThat(lease.fencingToken()).isPositive();
            done.incrementAndGet();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** By reflection, because the tests are compiled for 17; empty there. */
    private static Optional<ExecutorService> virtualThreads() {
        try {
            return Optional.of((ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }

    @Test
    void ap5_a_listener_that_blocks_on_its_own_executor_holds_up_nobody() throws Exception {
        CompletableFuture<Void> blocked = new CompletableFuture<>();
        Executor own = task -> new Thread(task).start();
        try (LockClient client = LockClient.over(new MemoryServer(new RealClock()).link(), ClientOptions.defaults())) {
            for (int i = 0; i < 50; i++) {
                Lease lease = client.lock("a").acquire();
                lease.onChange(own, state -> blocked.join());
                assertThat(lease.releaseAsync().get(10, TimeUnit.SECONDS)).isEqualTo(ReleaseResult.RELEASED);
            }
        } finally {
            blocked.complete(null);
        }
    }
}
