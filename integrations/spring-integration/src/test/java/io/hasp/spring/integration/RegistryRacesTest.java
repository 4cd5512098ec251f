package io.hasp.spring.integration;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.conformance.Tier;
import io.hasp.conformance.VirtualThreads;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/** Many threads, interrupts at any point, losses beside unlocks. */
@Timeout(300)
@SuppressWarnings("LockNotBeforeTry") // lock and unlock themselves are what is tested
class RegistryRacesTest {
    private static final int THREADS = 8;
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private final LockClient client = LockClient.connect("memory://races");
    private final LockClient otherClient = LockClient.connect("memory://races");

    @AfterEach
    void close() {
        client.closeNow();
        otherClient.closeNow();
    }

    private interface Task {
        void run() throws Exception;
    }

    private static List<Thread> start(Task task, AtomicInteger failures) {
        return IntStream.range(0, THREADS)
                .mapToObj(i -> {
                    Thread thread = new Thread(() -> {
                        try {
                            task.run();
                        } catch (Exception | Error e) {
                            failures.incrementAndGet();
                            throw new AssertionError(e);
                        }
                    });
                    thread.start();
                    return thread;
                })
                .toList();
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void no_interrupt_of_a_loss_is_left_to_a_thread_that_has_unlocked() throws Exception {
        HaspLockRegistry registry =
                new HaspLockRegistry(client, "", LockOptions.defaults().onLoss(OnLoss.INTERRUPT));
        AtomicInteger losses = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        join(start(
                () -> {
                    DistributedLock lock =
                            registry.obtain(Thread.currentThread().getName());
                    for (int i = 0; i < Tier.count(50, 5_000); i++) {
                        lock.lock(SHORTEST);
                        long until =
                                System.nanoTime() + ThreadLocalRandom.current().nextInt(9_000_000, 11_000_000);
                        while (System.nanoTime() < until) {
                            Thread.onSpinWait();
                        }
                        try {
                            lock.unlock();
                        } catch (ConcurrentModificationException lost) {
                            losses.incrementAndGet();
                        }
                        for (int look = 0; look < 1_000; look++) {
                            assertThat(Thread.currentThread().isInterrupted()).isFalse();
                            Thread.onSpinWait();
                        }
                    }
                },
                failures));
        assertThat(failures).hasValue(0);
        assertThat(losses).hasPositiveValue();
    }

    @Test
    void threads_that_are_interrupted_at_any_point_exclude_each_other_and_leave_nothing() throws Exception {
        List<HaspLockRegistry> registries = List.of(new HaspLockRegistry(client), new HaspLockRegistry(otherClient));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        List<Thread> workers = start(
                () -> {
                    for (int i = 0; i < Tier.count(300, 20_000); i++) {
                        Lock lock = registries.get(i % 2).obtain("a");
                        try {
                            if (i % 3 == 0) {
                                lock.lock();
                            } else if (i % 3 == 1) {
                                lock.lockInterruptibly();
                            } else if (!lock.tryLock(50, MILLISECONDS)) {
                                continue;
                            }
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                            continue;
                        }
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        assertThat(lock.tryLock())
                                .as("re-entered, interrupted or not")
                                .isTrue();
                        lock.unlock();
                        inside.decrementAndGet();
                        lock.unlock();
                    }
                },
                failures);
        while (workers.stream().anyMatch(Thread::isAlive)) {
            workers.get(ThreadLocalRandom.current().nextInt(THREADS)).interrupt();
            Thread.sleep(1);
        }
        assertThat(failures).hasValue(0);
        assertThat(interrupted).hasPositiveValue();
        assertThat(registries.get(0).obtain("a").tryLock(10, SECONDS)).isTrue();
    }

    @Test
    void clients_that_close_while_threads_lock_fail_them_and_leave_nothing() throws Exception {
        for (int round = 0; round < Tier.count(8, 500); round++) {
            LockClient closing = LockClient.connect("memory://races");
            HaspLockRegistry registry = new HaspLockRegistry(closing);
            AtomicInteger failures = new AtomicInteger();
            CountDownLatch begun = new CountDownLatch(THREADS);
            List<Thread> workers = start(
                    () -> {
                        Lock lock = registry.obtain("a");
                        begun.countDown();
                        try {
                            while (true) {
                                lock.lock();
                                lock.unlock();
                            }
                        } catch (CannotAcquireLockException | ConcurrentModificationException closed) {
                            assertThat(closed).hasCauseInstanceOf(io.hasp.ClientClosedException.class);
                        } catch (org.springframework.dao.DataAccessResourceFailureException unconfirmed) {
                            assertThat(unconfirmed).hasCauseInstanceOf(io.hasp.ClientClosedException.class);
                        }
                    },
                    failures);
            begun.await();
            Thread.sleep(ThreadLocalRandom.current().nextInt(5));
            closing.close();
            join(workers);
            assertThat(failures).hasValue(0);
        }
        assertThat(new HaspLockRegistry(client).obtain("a").tryLock(10, SECONDS))
                .isTrue();
    }

    @Test
    void a_thousand_virtual_threads_take_turns() throws Exception {
        HaspLockRegistry registry =
                new HaspLockRegistry(client, "", LockOptions.defaults().onLoss(OnLoss.INTERRUPT));
        int[] count = new int[1];
        AtomicInteger failures = new AtomicInteger();
        List<Thread> threads = IntStream.range(0, 1_000)
                .mapToObj(i -> VirtualThreads.start(() -> {
                    Lock lock = registry.obtain("a");
                    lock.lock();
                    count[0]++;
                    lock.unlock();
                    if (Thread.currentThread().isInterrupted()) {
                        failures.incrementAndGet();
                    }
                }))
                .toList();
        join(threads);
        assertThat(count[0]).isEqualTo(1_000);
        assertThat(failures).hasValue(0);
    }
}
