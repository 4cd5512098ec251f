package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client uses an idle thread again before it starts another one, and starts more while the present ones are blocked. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FewThreadsTest {
    private static final int CYCLES = 300;
    /** A thread that has just finished a task may not be idle yet when the next task comes. */
    private static final int FEW = 24;

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

    private List<String> started() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("hasp-"))
                .collect(Collectors.toList());
    }

    @Test
    void one_asynchronous_caller_starts_a_few_threads() {
        ClientOptions options = ClientOptions.defaults().addListener(event -> {});
        try (LockClient client = LockClient.over(server.link(), options)) {
            for (int i = 0; i < CYCLES; i++) {
                client.lock("a")
                        .acquireAsync()
                        .thenCompose(lease -> {
                            CompletableFuture<LeaseState> told = new CompletableFuture<>();
                            lease.onChange(Runnable::run, told::complete);
                            return lease.releaseAsync().thenCombine(told, (result, state) -> state);
                        })
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join();
            }
            assertThat(started()).hasSizeLessThanOrEqualTo(FEW);
        }
    }

    /** Each request and each outcome is handed over once: another hop would cost as much as a quarter of the cycle. */
    @Test
    void one_asynchronous_caller_needs_no_thread_for_the_effects_of_others() {
        try (LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
            for (int i = 0; i < CYCLES; i++) {
                client.lock("a")
                        .acquireAsync()
                        .thenCompose(Lease::releaseAsync)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join();
            }
            assertThat(started()).noneMatch(name -> name.startsWith("hasp-effect-"));
        }
    }

    @Test
    void tasks_that_block_get_threads_of_their_own_and_those_behind_them_run_later() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        AtomicInteger blocking = new AtomicInteger();
        try (LockClient client = LockClient.over(server.link(), ClientOptions.defaults())) {
            List<CompletableFuture<Void>> all = IntStream.range(0, 40)
                    .mapToObj(i -> client.lock("a" + i).callAsync(lease -> {
                        blocking.incrementAndGet();
                        try {
                            blocked.await(30, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        return CompletableFuture.<Void>completedFuture(null);
                    }))
                    .collect(Collectors.toList());
            await().until(() -> blocking.get() == 32);
            blocked.countDown();
            assertThat(CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])))
                    .succeedsWithin(Duration.ofSeconds(20));
        }
    }
}
