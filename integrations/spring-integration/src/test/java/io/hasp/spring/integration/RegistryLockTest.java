package io.hasp.spring.integration;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.integration.support.locks.DistributedLock;

/** Hasp's own cases, in addition to Spring's tests. */
@Timeout(120)
@SuppressWarnings("LockNotBeforeTry") // A failed test leaves its locks to the end of its clients.
@InTier(Tier.STANDARD)
class RegistryLockTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LockClient client = LockClient.connect("memory://registry");
    private final LockClient otherClient = LockClient.connect("memory://registry");
    private final HaspLockRegistry registry = new HaspLockRegistry(client);
    private final HaspLockRegistry other = new HaspLockRegistry(otherClient);

    @AfterEach
    void close() {
        threads.shutdownNow();
        client.closeNow();
        otherClient.closeNow();
    }

    private <T> T elsewhere(Callable<T> task) throws Exception {
        return threads.submit(task).get(30, SECONDS);
    }

    private static HaspLockRegistry interrupting(LockClient client) {
        return new HaspLockRegistry(client, "", LockOptions.defaults().onLoss(OnLoss.INTERRUPT));
    }

    @Test
    @SuppressWarnings("NullAway") // What a caller without a null checker may pass.
    void a_key_is_a_text_or_has_one() {
        UUID id = UUID.randomUUID();
        assertThat(registry.obtain(id)).isEqualTo(registry.obtain(id.toString()));
        assertThat(registry.obtain(42)).isEqualTo(registry.obtain("42"));
        for (Object key :
                new Object[] {new Object(), new byte[] {1}, (Runnable) () -> {}, "", "a\0b", "x".repeat(513)}) {
            assertThatThrownBy(() -> registry.obtain(key)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> registry.obtain(null)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new HaspLockRegistry(client, "orders", LockOptions.defaults()).obtain("1"))
                .isEqualTo(registry.obtain("orders:1"));
    }

    @Test
    void a_registry_and_the_client_have_the_same_locks() throws Exception {
        Lock lock = registry.obtain("a");
        lock.lock();
        assertThat(client.lock("a").tryAcquire()).isEmpty();
        assertThat(client.lock("a").asReentrantLock().tryLock())
                .as("the same thread")
                .isTrue();
        lock.unlock();
        client.lock("a").asReentrantLock().unlock();
        assertThat(elsewhere(() -> other.obtain("a").tryLock())).isTrue();
    }

    @Test
    void re_entry_prolongs_a_time_to_live_and_is_refused_without_one() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock(Duration.ofSeconds(10));
        lock.lock(LONG);
        assertThat(registry.lease("a").orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(30));
        assertThat(lock.tryLock(Duration.ZERO, SHORT)).isTrue();
        assertThat(registry.lease("a").orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(30));
        assertThatThrownBy(lock::lock)
                .isInstanceOf(CannotAcquireLockException.class)
                .hasMessageContaining("time to live");
        assertThatThrownBy(() -> lock.lock(Duration.ofNanos(1))).isInstanceOf(IllegalArgumentException.class);
        for (int i = 0; i < 3; i++) {
            assertThat(other.obtain("a").tryLock()).isFalse();
            lock.unlock();
        }
        assertThat(elsewhere(() -> other.obtain("a").tryLock())).isTrue();
    }

    @Test
    void a_lock_without_an_end_is_re_entered_with_a_time_to_live_and_keeps_its_lease() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock();
        assertThat(lock.tryLock(Duration.ofDays(100_000), Duration.ofSeconds(5)))
                .isTrue();
        lock.unlock();
        registry.renewLock("a", SHORT);
        lock.unlock();
    }

    @Test
    @SuppressWarnings("NullAway") // What a caller without a null checker may pass.
    void arguments_are_checked_before_anything_is_sent() {
        DistributedLock lock = registry.obtain("a");
        assertThatThrownBy(() -> lock.lock(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock.tryLock(null, LONG)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock.lock(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock.tryLock(1, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> new HaspLockRegistry(null)).isInstanceOf(IllegalArgumentException.class);
        assertThat(other.obtain("a").tryLock()).isTrue();
    }

    @Test
    void work_that_waits_too_long_times_out() throws Exception {
        other.obtain("a").lock();
        assertThatThrownBy(() -> registry.<Exception>executeLocked("a", SHORT, () -> {}))
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void an_outage_is_never_busy_and_an_interrupt_ends_a_wait_in_it() throws Exception {
        try (RedisServer redis = RedisServer.start();
                LockClient onRedis = LockClient.connect(redis.uri() + "?commandTimeout=300ms")) {
            HaspLockRegistry broken = new HaspLockRegistry(onRedis);
            Lock held = broken.obtain("held");
            held.lock();
            redis.pause();
            Lock lock = broken.obtain("a");
            assertThatThrownBy(lock::tryLock)
                    .isInstanceOf(CannotAcquireLockException.class)
                    .hasCauseInstanceOf(BackendException.class);
            assertThatThrownBy(() -> lock.tryLock(100, java.util.concurrent.TimeUnit.MILLISECONDS))
                    .isInstanceOf(CannotAcquireLockException.class);
            Future<Boolean> waits = threads.submit(() -> {
                lock.lockInterruptibly();
                return true;
            });
            Thread.sleep(100);
            waits.cancel(true);
            assertThatThrownBy(held::unlock)
                    .isInstanceOf(DataAccessResourceFailureException.class)
                    .hasCauseInstanceOf(BackendException.class);
            assertThatThrownBy(held::unlock).isInstanceOf(IllegalMonitorStateException.class);
            redis.resume();
            await().until(() -> {
                try {
                    return lock.tryLock();
                } catch (CannotAcquireLockException e) {
                    return false;
                }
            });
            assertThat(held.tryLock(10, SECONDS)).isTrue();
        }
    }

    @Test
    void a_closed_client_fails_who_waits_and_who_holds() throws Exception {
        other.obtain("waited").lock();
        Lock held = registry.obtain("held");
        held.lock();
        List<Future<Object>> waiters = List.of(
                threads.submit(() -> {
                    registry.obtain("waited").lock();
                    return null;
                }),
                threads.submit(() -> {
                    registry.obtain("waited").lockInterruptibly();
                    return null;
                }),
                threads.submit(() -> registry.obtain("waited").tryLock(60, SECONDS)));
        Thread.sleep(100);
        client.closeNow();
        for (Future<Object> waiter : waiters) {
            assertThatThrownBy(() -> waiter.get(10, SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(CannotAcquireLockException.class)
                    .hasCauseInstanceOf(ClientClosedException.class);
        }
        assertThatThrownBy(held::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasCauseInstanceOf(ClientClosedException.class);
        assertThatThrownBy(held::tryLock).hasCauseInstanceOf(ClientClosedException.class);
    }

    @Test
    void a_loss_interrupts_the_holder_and_unlock_takes_an_unused_interrupt_back() {
        HaspLockRegistry interrupting = interrupting(client);
        DistributedLock lock = interrupting.obtain("a");
        lock.lock(SHORT);
        assertThatThrownBy(() -> Thread.sleep(60_000)).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        lock.lock(SHORT);
        awaitInterrupt();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    private static void awaitInterrupt() {
        long until = System.nanoTime() + 10_000_000_000L;
        while (!Thread.currentThread().isInterrupted()) {
            assertThat(System.nanoTime()).isLessThan(until);
            Thread.onSpinWait();
        }
    }

    @Test
    void the_interrupt_of_one_lock_outlives_the_unlock_of_another() throws Exception {
        HaspLockRegistry interrupting = interrupting(client);
        elsewhere(() -> {
            DistributedLock outer = interrupting.obtain("outer");
            DistributedLock inner = interrupting.obtain("inner");
            outer.lock(SHORT);
            inner.lock(SHORT);
            awaitInterrupt();
            while (!other.obtain("inner").tryLock()) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(inner::unlock).isInstanceOf(ConcurrentModificationException.class);
            awaitInterrupt();
            assertThatThrownBy(outer::unlock).isInstanceOf(ConcurrentModificationException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return null;
        });
    }

    @Test
    void the_end_of_a_client_interrupts_its_holders() throws Exception {
        HaspLockRegistry interrupting = interrupting(client);
        CountDownLatch locked = new CountDownLatch(1);
        Future<Object> holder = threads.submit(() -> {
            interrupting.obtain("a").lock();
            locked.countDown();
            Thread.sleep(60_000);
            return null;
        });
        locked.await();
        client.closeNow();
        assertThatThrownBy(() -> holder.get(10, SECONDS)).hasCauseInstanceOf(InterruptedException.class);
    }
}
