package io.hasp.spring.integration;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * The cases of Spring Integration's own registry tests (7.1: {@code RedisLockRegistryTests}, {@code ZkLockRegistryTests},
 * {@code JdbcLockRegistryTests}), on our registry. Two registries of theirs are two clients here. Which case became which test, and which
 * were not taken and why, says {@code docs/spring-integration.md}.
 */
@Timeout(120)
@SuppressWarnings("LockNotBeforeTry") // A failed test leaves its locks to the end of its clients.
abstract class SpringRegistryCases {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private LockClient client;
    private LockClient otherClient;
    HaspLockRegistry registry;
    HaspLockRegistry other;

    abstract LockClient connect();

    /** Time enough to get a lock, and soon over. */
    Duration shortTime() {
        return Duration.ofMillis(100);
    }

    @BeforeEach
    final void open() {
        client = connect();
        otherClient = connect();
        registry = registry(client, LockOptions.defaults());
        other = registry(otherClient, LockOptions.defaults());
    }

    @AfterEach
    final void close() {
        threads.shutdownNow();
        client.closeNow();
        otherClient.closeNow();
    }

    private static HaspLockRegistry registry(LockClient client, LockOptions options) {
        return new HaspLockRegistry(client, "springs", options);
    }

    private HaspLockRegistry expiring() {
        return registry(client, LockOptions.defaults().fixedLease(shortTime()));
    }

    private <T> T elsewhere(Callable<T> task) throws Exception {
        return threads.submit(task).get(30, SECONDS);
    }

    private boolean triedElsewhere(Lock lock) throws Exception {
        Callable<Boolean> attempt = lock::tryLock;
        return elsewhere(attempt);
    }

    /** Of another client, which may have to wait until a lock has ended by itself. */
    private void awaitFree(String key) throws Exception {
        Lock free = other.obtain(key);
        assertThat(free.tryLock(10, SECONDS)).isTrue();
        free.unlock();
    }

    @Test
    void a_lock_is_locked_and_unlocked_again_and_again() throws Exception {
        for (int i = 0; i < 10; i++) {
            Lock lock = registry.obtain("foo");
            lock.lock();
            lock.unlock();
            lock.lockInterruptibly();
            lock.unlock();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        }
        assertThat(other.obtain("foo").tryLock()).isTrue();
    }

    @Test
    void a_time_to_live_of_its_own_outlasts_the_fixed_lease_of_the_registry() throws Exception {
        DistributedLock lock = expiring().obtain("foo");
        lock.lock(LONG);
        Thread.sleep(2 * shortTime().toMillis());
        assertThatCode(lock::unlock).doesNotThrowAnyException();
        assertThat(lock.tryLock(shortTime(), LONG)).isTrue();
        Thread.sleep(2 * shortTime().toMillis());
        assertThatCode(lock::unlock).doesNotThrowAnyException();
    }

    @Test
    void a_lock_with_a_time_to_live_ends_and_unlock_tells_of_it() throws Exception {
        DistributedLock lock = registry.obtain("foo");
        lock.lock(shortTime());
        awaitFree("foo");
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasMessageContaining("lost");
        lock.lock();
        lock.unlock();
    }

    @Test
    void an_expired_lock_is_unlocked_without_harm_to_the_one_who_has_it() throws Exception {
        Lock expired = expiring().obtain("foo");
        expired.lock();
        Lock taken = other.obtain("foo");
        assertThat(taken.tryLock(10, SECONDS)).isTrue();
        assertThatThrownBy(expired::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(expired.tryLock()).isFalse();
        taken.unlock();
        assertThat(triedElsewhere(registry.obtain("foo"))).isTrue();
    }

    @Test
    void a_lock_is_renewed_without_a_scheduler() throws Exception {
        HaspLockRegistry renewed = registry(client, LockOptions.defaults().renewedLease(Duration.ofSeconds(1)));
        Lock lock = renewed.obtain("foo");
        assertThat(lock.tryLock()).isTrue();
        assertThat(other.obtain("foo").tryLock(2, SECONDS)).isFalse();
        lock.unlock();
    }

    @Test
    void a_thread_re_enters_its_lock_through_each_that_it_obtains() throws Exception {
        Lock lock1 = registry.obtain("foo");
        lock1.lock();
        Lock lock2 = registry.obtain("foo");
        assertThat(lock2).isEqualTo(lock1).hasSameHashCodeAs(lock1);
        lock2.lock();
        registry.obtain("foo").lockInterruptibly();
        assertThat(registry.obtain("foo").tryLock()).isTrue();
        for (int i = 0; i < 3; i++) {
            lock2.unlock();
            assertThat(triedElsewhere(lock1)).isFalse();
        }
        lock1.unlock();
        assertThat(triedElsewhere(lock1)).isTrue();
    }

    /** Spring's JDBC registry takes it again without a word. */
    @Test
    void an_expired_lock_can_not_be_re_entered() throws Exception {
        Lock lock = expiring().obtain("foo");
        lock.lock();
        awaitFree("foo");
        assertThatThrownBy(lock::tryLock)
                .isInstanceOf(CannotAcquireLockException.class)
                .hasRootCauseInstanceOf(io.hasp.LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void a_thread_holds_many_locks_at_once() throws Exception {
        List<DistributedLock> locks =
                IntStream.range(0, 10).mapToObj(i -> registry.obtain("foo" + i)).toList();
        locks.forEach(Lock::lock);
        assertThat(registry.obtain("foo1")).isNotEqualTo(registry.obtain("foo2"));
        assertThat(other.obtain("foo9").tryLock()).isFalse();
        locks.forEach(Lock::unlock);
        assertThat(other.obtain("foo9").tryLock()).isTrue();
    }

    @Test
    void a_second_thread_fails_to_get_the_lock_and_does_not_own_it() throws Exception {
        Lock lock = registry.obtain("foo");
        lock.lockInterruptibly();
        elsewhere(() -> {
            Lock same = registry.obtain("foo");
            assertThat(same.tryLock(200, MILLISECONDS)).isFalse();
            assertThatThrownBy(same::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("You do not own");
            return null;
        });
        lock.unlock();
    }

    @Test
    void the_wrong_thread_does_not_unlock() throws Exception {
        Lock lock = registry.obtain("foo");
        lock.lockInterruptibly();
        elsewhere(() -> assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class));
        assertThat(other.obtain("foo").tryLock()).isFalse();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void a_thread_waits_for_another_of_the_same_registry_and_of_another() throws Exception {
        for (HaspLockRegistry waits : List.of(registry, other)) {
            Lock lock = registry.obtain("foo");
            CountDownLatch begun = new CountDownLatch(1);
            lock.lockInterruptibly();
            Future<Boolean> waiter = threads.submit(() -> {
                Lock same = waits.obtain("foo");
                begun.countDown();
                same.lockInterruptibly();
                same.unlock();
                return true;
            });
            begun.await();
            Thread.sleep(100);
            assertThat(waiter).isNotDone();
            lock.unlock();
            assertThat(waiter.get(10, SECONDS)).isTrue();
        }
    }

    @Test
    void a_failed_attempt_does_not_prolong_the_lock_of_another_thread() throws Exception {
        DistributedLock lock = registry.obtain("foo");
        lock.lock(LONG);
        Duration before = registry.lease("foo").orElseThrow().remaining();
        assertThat(elsewhere(() -> registry.obtain("foo").tryLock(shortTime(), Duration.ofMinutes(5))))
                .isFalse();
        assertThat(registry.lease("foo").orElseThrow().remaining()).isLessThan(before);
        lock.unlock();
    }

    @Test
    void ten_registries_take_turns() throws Exception {
        AtomicInteger turns = new AtomicInteger();
        AtomicInteger inside = new AtomicInteger();
        Callable<Boolean> turn = () -> {
            Lock lock = (turns.getAndIncrement() % 2 == 0 ? registry : other).obtain("foo");
            lock.lock();
            boolean alone = inside.incrementAndGet() == 1;
            inside.decrementAndGet();
            lock.unlock();
            return alone;
        };
        for (int round = 0; round < 3; round++) {
            for (Future<Boolean> alone : threads.invokeAll(java.util.Collections.nCopies(10, turn))) {
                assertThat(alone.get(30, SECONDS)).isTrue();
            }
        }
        assertThat(turns).hasValue(30);
    }

    @Test
    void one_unlock_lets_one_waiter_in() throws Exception {
        Lock lock = registry.obtain("foo");
        lock.lock();
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            threads.submit(() -> other.obtain("foo").tryLock(30, SECONDS) ? inside.incrementAndGet() : 0);
        }
        Thread.sleep(100);
        lock.unlock();
        org.awaitility.Awaitility.await().until(() -> inside.get() == 1);
        Thread.sleep(300);
        assertThat(inside).hasValue(1);
    }

    @Test
    void five_hundred_keys_of_four_threads_leave_nothing_behind_while_unused_ones_expire() throws Exception {
        CompletableFuture.allOf(IntStream.range(0, 4)
                        .mapToObj(thread -> CompletableFuture.runAsync(
                                () -> {
                                    for (int i = 0; i < keys(); i++) {
                                        Lock lock = registry.obtain("foo:" + i);
                                        registry.expireUnusedOlderThan(0);
                                        lock.lock();
                                        registry.expireUnusedOlderThan(-1000);
                                        lock.unlock();
                                    }
                                },
                                threads))
                        .toArray(CompletableFuture[]::new))
                .get(60, SECONDS);
        assertThat(other.obtain("foo:1").tryLock()).isTrue();
    }

    /** For each of four threads. */
    int keys() {
        return 125;
    }

    @Test
    void renewing_prolongs_a_time_to_live_and_checks_who_holds_the_lock() throws Exception {
        DistributedLock lock = registry.obtain("foo");
        assertThatThrownBy(() -> registry.renewLock("foo")).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        registry.renewLock("foo");
        registry.renewLock("foo", LONG);
        elsewhere(() ->
                assertThatThrownBy(() -> registry.renewLock("foo")).isInstanceOf(IllegalMonitorStateException.class));
        lock.unlock();

        assertThat(lock.tryLock(shortTime(), Duration.ofSeconds(5))).isTrue();
        registry.renewLock("foo", Duration.ofMinutes(1));
        assertThat(registry.lease("foo").orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(5));
        registry.renewLock("foo");
        assertThat(other.obtain("foo").tryLock(100, MILLISECONDS)).isFalse();
        lock.unlock();

        lock.lock(shortTime());
        awaitFree("foo");
        assertThatThrownBy(() -> registry.renewLock("foo")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void an_interrupted_thread_unlocks_and_stays_interrupted() throws Exception {
        elsewhere(() -> {
            Lock lock = registry.obtain("foo");
            lock.lock();
            Thread.currentThread().interrupt();
            lock.unlock();
            assertThat(Thread.interrupted()).isTrue();
            return null;
        });
        assertThat(other.obtain("foo").tryLock()).isTrue();
    }

    @Test
    void work_is_done_under_the_lock() throws Exception {
        assertThat(registry.<Boolean, Exception>executeLocked(
                        "foo", () -> elsewhere(() -> other.obtain("foo").tryLock())))
                .isFalse();
        registry.<Exception>executeLocked("foo", Duration.ofSeconds(10), () -> {
            assertThat(registry.lease("foo").orElseThrow().fencingToken()).isPositive();
        });
        assertThat(registry.lease("foo")).isEmpty();
    }
}
