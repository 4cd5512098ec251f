package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine with real threads and real time over the in-memory server. */
@Timeout(60)
class EngineUnderThreadsTest {
    private final MemoryServer server = new MemoryServer(new RealClock());
    private int counter;
    private long lastToken;

    private LockClient client(boolean handOff) {
        return LockClient.over(server.link(), ClientOptions.defaults().handOff(handOff));
    }

    @RepeatedTest(3)
    void me2_threads_of_two_clients_lose_no_update_and_see_rising_tokens() throws Exception {
        int threads = 8;
        int rounds = 2_000;
        try (LockClient one = client(true);
                LockClient two = client(false)) {
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                LockClient mine = i % 2 == 0 ? one : two;
                workers.add(CompletableFuture.runAsync(() -> work(mine, rounds), task -> new Thread(task).start()));
            }
            CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
            assertThat(counter).isEqualTo(threads * rounds);
        }
        assertThat(server.size()).isZero();
    }

    private void work(LockClient client, int rounds) {
        try {
            for (int i = 0; i < rounds; i++) {
                try (Lease lease = client.lock("a").acquire()) {
                    assertThat(lease.fencingToken()).isGreaterThan(lastToken);
                    lastToken = lease.fencingToken();
                    counter++;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void timed_waits_interrupts_and_cancellations_leave_nothing_behind() throws Exception {
        try (LockClient one = client(true);
                LockClient two = client(true)) {
            for (int round = 0; round < 100; round++) {
                Lease held = one.lock("a").acquire();
                CompletableFuture<Lease> cancelled = two.lock("a").acquireAsync();
                CompletableFuture<Optional<Lease>> timed = one.lock("a").tryAcquireAsync(Duration.ofMillis(1));
                Thread interrupted = new Thread(() -> {
                    try {
                        two.lock("a").acquire().close();
                    } catch (InterruptedException e) {
                        // Expected: the test causes it.
                    }
                });
                interrupted.start();
                cancelled.cancel(true);
                interrupted.interrupt();
                interrupted.join();
                held.release();
                timed.get(10, TimeUnit.SECONDS).ifPresent(Lease::release);
            }
            Optional<Lease> free = two.lock("a").tryAcquire(Duration.ofSeconds(5));
            assertThat(free).isPresent();
            free.orElseThrow().release();
            org.awaitility.Awaitility.await()
                    .untilAsserted(() -> assertThat(server.size()).isZero());
        }
    }

    @Test
    void ap6_closing_with_holders_and_waiters_ends_its_threads() throws Exception {
        java.util.Set<Thread> before = Thread.getAllStackTraces().keySet();
        LockClient client = client(true);
        Lease held = client.lock("a").acquire();
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        client.closeNow();
        assertThat(held.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(waiter).failsWithin(Duration.ofSeconds(5));
        assertThat(server.size()).isZero();
        org.awaitility.Awaitility.await()
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("hasp-") && !before.contains(thread)));
    }
}
