package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The view for code that knows {@link Lock}. */
@SuppressWarnings("LockNotBeforeTry") // lock and unlock themselves are what is tested
class ThreadOwnedLockTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final List<String> abandoned = new ArrayList<>();
    private final LockClient client = LockClient.over(
            link, ClientOptions.defaults().timing(time).executor(Runnable::run).listener(event -> {
                if (event instanceof LockEvent.Abandoned left) {
                    abandoned.add(left.lock() + " by " + left.thread());
                }
            }));
    private final Lock lock = client.lock("a").asLock();

    @AfterEach
    void close() {
        link.heal();
        time.advance(Duration.ofSeconds(10));
        client.close();
    }

    private static <T> T elsewhere(java.util.concurrent.Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        result.complete(work.call());
                    } catch (Exception e) {
                        result.completeExceptionally(e);
                    }
                })
                .start();
        return result.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void ow3_re_entry_counts_locally_and_unlock_counts_must_match() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            lock.lock();
        }
        assertThat(client.lock("a").asLock().tryLock(0, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 1_000; i++) {
            lock.unlock();
            assertThat(server.size()).isOne();
        }
        lock.unlock();
        assertThat(server.size()).isZero();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("not held");
    }

    @Test
    void unlocking_after_the_client_was_closed_says_so() {
        lock.lock();
        client.close();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("its lock client was closed")
                .hasCauseInstanceOf(ClientClosedException.class);
    }

    @Test
    void ow4_another_thread_can_neither_lock_nor_unlock() {
        lock.lock();
        assertThat(elsewhere(() -> lock.tryLock())).isFalse();
        assertThatThrownBy(() -> elsewhere(() -> {
                    lock.unlock();
                    return null;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
    }

    @Test
    void li2_a_lock_of_a_thread_that_died_is_reported_once_and_freed_by_max_hold() throws Exception {
        Lock capped = client.lock("a", LockOptions.defaults().maxHold(Duration.ofMinutes(2)))
                .asLock();
        Thread careless = new Thread(capped::lock, "careless");
        careless.start();
        careless.join();

        time.advance(Duration.ofSeconds(11));

        assertThat(abandoned).containsExactly("a by careless");
        assertThat(lock.tryLock()).isFalse();
        time.advance(Duration.ofMinutes(2));
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(abandoned).hasSize(1);
    }

    @Test
    void a_loss_surfaces_at_unlock_with_its_cause() {
        lock.lock();
        time.pause(Duration.ofMinutes(1));
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("not held");
    }

    @Test
    void re_entry_on_a_lost_or_suspect_lease_throws() {
        lock.lock();
        link.partition();
        time.advance(Duration.ofSeconds(11));
        assertThatThrownBy(lock::tryLock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("SUSPECT");
        time.pause(Duration.ofMinutes(1));
        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void lock_interruptibly_is_and_lock_is_not_interruptible() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();
        lock.unlock();
    }

    @Test
    void conditions_are_refused() {
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
}
