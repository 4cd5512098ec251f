package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.Ordering;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every way to take and to release a lock at once, on links that sometimes fail: no caller hangs, and nothing is left. */
@Timeout(180)
class EngineStormTest {
    private static final int THREADS_PER_CLIENT = 4;
    private static final Duration STORM = Duration.ofSeconds(4);

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger grants = new AtomicInteger();
    private long lastToken;
    private volatile boolean over;

    @Test
    void me2_fe1_a_storm_of_waits_cancellations_interrupts_and_outages_leaves_nothing_behind() throws Exception {
        List<MemoryLink> links = List.of(server.link(), server.link(), server.link());
        List<LockClient> clients = new ArrayList<>();
        clients.add(LockClient.over(links.get(0), ClientOptions.defaults()));
        clients.add(LockClient.over(links.get(1), ClientOptions.defaults().handOff(false)));
        clients.add(LockClient.over(links.get(2), ClientOptions.defaults().ordering(Ordering.FIFO)));
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (LockClient client : clients) {
            for (int i = 0; i < THREADS_PER_CLIENT; i++) {
                workers.add(CompletableFuture.runAsync(
                        () -> work(client), task -> new Thread(task, "storm-" + workers.size()).start()));
            }
        }
        weather(links, workers);
        over = true;
        links.forEach(MemoryLink::heal);
        CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(grants).hasValueGreaterThan(100);
        for (LockClient client : clients) {
            Optional<Lease> last = client.lock("a").tryAcquire(Duration.ofSeconds(30));
            assertThat(last).isPresent();
            last.orElseThrow().release();
        }
        Awaitility.await().untilAsserted(() -> assertThat(server.size()).isZero());
        clients.forEach(LockClient::close);
    }

    private static void weather(List<MemoryLink> links, List<CompletableFuture<Void>> workers) {
        Random random = new Random(7);
        long end = System.nanoTime() + STORM.toNanos();
        while (System.nanoTime() < end && workers.stream().noneMatch(CompletableFuture::isDone)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(40));
            MemoryLink link = links.get(random.nextInt(links.size()));
            switch (random.nextInt(6)) {
                case 0 -> link.loseReplies();
                case 1 -> link.partition();
                case 2 -> link.loseSignals();
                default -> links.forEach(MemoryLink::heal);
            }
        }
    }

    private void work(LockClient client) {
        while (!over) {
            try {
                once(client);
            } catch (BackendException e) {
                // An outage, which the test causes.
            }
        }
    }

    private void once(LockClient client) {
        Random random = ThreadLocalRandom.current();
        DistributedLock lock = random.nextInt(4) == 0
                ? client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(30)))
                : client.lock("a");
        try {
            switch (random.nextInt(6)) {
                case 0 -> lock.tryAcquire().ifPresent(this::use);
                case 1 -> lock.tryAcquire(Duration.ofMillis(random.nextInt(20))).ifPresent(this::use);
                case 2 -> cancelSoon(lock);
                case 3 -> interruptSoon(lock);
                default -> use(lock.acquire());
            }
        } catch (InterruptedException e) {
            // Expected: the disturber causes these.
        }
    }

    private void cancelSoon(DistributedLock lock) {
        CompletableFuture<Lease> future = lock.acquireAsync();
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(2_000_000));
        if (!future.cancel(true) && !future.isCompletedExceptionally()) {
            use(future.join());
        }
    }

    private void interruptSoon(DistributedLock lock) throws InterruptedException {
        Thread caller = Thread.currentThread();
        CompletableFuture<Void> disturbance = CompletableFuture.runAsync(
                () -> {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(2_000_000));
                    caller.interrupt();
                },
                task -> new Thread(task, "disturber").start());
        try {
            use(lock.acquire());
        } finally {
            disturbance.join();
            Thread.interrupted();
        }
    }

    private void use(Lease lease) {
        assertThat(inside.incrementAndGet()).as("holders at once").isOne();
        assertThat(lease.fencingToken()).as("token").isGreaterThan(lastToken);
        lastToken = lease.fencingToken();
        grants.incrementAndGet();
        inside.decrementAndGet();
        if (lease.fencingToken() % 2 == 0) {
            lease.releaseAsync();
        } else {
            lease.close();
        }
    }
}
