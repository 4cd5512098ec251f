package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Blocking calls for several locks, of threads of two clients, that are interrupted, wait briefly, lose short leases on the way and their
 * replies. Each call ends, no name has two holders, and nothing is left on the server.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MultiLockStressTest {
    private static final int THREADS = 6;
    private static final int NAMES = 5;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final Map<String, Thread> holders = new ConcurrentHashMap<>();
    private final AtomicReference<String> wrong = new AtomicReference<>();
    private final AtomicInteger acquired = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private volatile boolean over;

    @Test
    void each_call_ends_and_nothing_is_left() throws Exception {
        MemoryLink faulty = server.link();
        LockClient plain = LockClient.over(server.link(), ClientOptions.defaults());
        LockClient given = LockClient.over(faulty, ClientOptions.defaults().executor(executor));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            LockClient client = i % 2 == 0 ? plain : given;
            Thread thread = new Thread(() -> work(client, new Random(seed)), "caller-" + i);
            thread.start();
            threads.add(thread);
        }
        Random random = new Random(7);
        for (int i = 0; i < 400; i++) {
            Thread.sleep(5);
            threads.get(random.nextInt(THREADS)).interrupt();
            if (random.nextInt(20) == 0) {
                faulty.loseReplies();
            } else {
                faulty.heal();
            }
        }
        faulty.heal();
        over = true;
        for (Thread thread : threads) {
            thread.join(LONG.toMillis());
            assertThat(thread.getState())
                    .as("%s at %s", thread, List.of(thread.getStackTrace()))
                    .isEqualTo(Thread.State.TERMINATED);
        }
        assertThat(losses.get() > 0 ? null : wrong.get()).isNull();
        assertThat(acquired.get()).isGreaterThan(100);
        await("everything is given back").atMost(LONG).until(() -> server.size() == 0);
        plain.close();
        given.close();
        executor.shutdown();
        assertThat(executor.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }

    private void work(LockClient client, Random random) {
        while (!over) {
            List<DistributedLock> all = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                all.add(client.lock("n" + i, options(random)));
            }
            Collections.shuffle(all, random);
            Duration wait = Duration.ofMillis(random.nextInt(3) == 0 ? 0 : 1L << random.nextInt(10));
            try {
                Optional<MultiLease> lease =
                        client.allOf(all.subList(0, 1 + random.nextInt(NAMES))).tryAcquire(wait);
                if (lease.isPresent()) {
                    held(lease.get(), random);
                }
            } catch (InterruptedException | LeaseLostException | BackendException expected) {
                // Nothing is held.
            } catch (Throwable broken) {
                wrong.set(String.valueOf(broken));
            }
        }
    }

    /** A hold of less than the time that is left of it overlaps no other one. */
    private void held(MultiLease lease, Random random) {
        acquired.incrementAndGet();
        try {
            for (String name : lease.names()) {
                Thread before = holders.put(name, Thread.currentThread());
                if (before != null && !before.equals(Thread.currentThread())) {
                    wrong.set(name + " has two holders");
                }
            }
            Thread.sleep(random.nextInt(3));
        } catch (InterruptedException e) {
            // Ends the work.
        } finally {
            boolean lost = lease.remaining().isZero();
            lease.names().forEach(name -> holders.remove(name, Thread.currentThread()));
            if (lost) {
                losses.incrementAndGet();
            }
        }
        if (random.nextBoolean()) {
            var unused = lease.releaseAsync();
        } else {
            lease.close();
        }
    }

    private static LockOptions options(Random random) {
        return random.nextInt(4) == 0
                ? LockOptions.defaults().fixedLease(Duration.ofMillis(500))
                : LockOptions.defaults();
    }
}
