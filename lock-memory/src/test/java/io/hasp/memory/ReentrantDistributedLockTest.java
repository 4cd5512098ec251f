package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.ReentrantDistributedLock;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The {@link Lock} view of a lock. */
@SuppressWarnings("LockNotBeforeTry") // lock and unlock themselves are what is tested
class ReentrantDistributedLockTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final List<String> abandoned = new ArrayList<>();
    private final LockClient client = LockClient.over(
            link, ClientOptions.defaults().timing(time).executor(Runnable::run).addListener(event -> {
                if (event instanceof LockEvent.Abandoned left) {
                    abandoned.add(left.lock() + " by " + left.thread());
                }
            }));
    private final ReentrantDistributedLock lock = client.lock("a").asReentrantLock();

    @AfterEach
    void close() {
        link.heal();
        time.advance(Duration.ofSeconds(10));
        client.closeNow();
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
        assertThat(client.lock("a").asReentrantLock().tryLock(0, TimeUnit.SECONDS))
                .isTrue();
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
        client.closeNow();
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
                .asReentrantLock();
        Thread careless = new Thread(capped::lock, "careless");
        careless.start();
        careless.join();

        time.advance(Duration.ofSeconds(16));

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
        time.advance(Duration.ofSeconds(16));
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

    @Test
    void holds_are_counted_by_thread_and_over_all_views() {
        ReentrantDistributedLock view = client.lock("a").asReentrantLock();
        assertThat(view.isHeldByCurrentThread()).isFalse();
        assertThat(view.getHoldCount()).isZero();
        lock.lock();
        assertThat(view.tryLock()).isTrue();
        assertThat(List.of(lock.getHoldCount(), view.getHoldCount())).containsOnly(2);
        assertThat(view.isHeldByCurrentThread()).isTrue();
        assertThat(client.lock("b").asReentrantLock().isHeldByCurrentThread()).isFalse();
        assertThat(elsewhere(lock::isHeldByCurrentThread)).isFalse();
        assertThat(elsewhere(lock::getHoldCount)).isZero();
        lock.unlock();
        assertThat(view.getHoldCount()).isOne();
        view.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
    }

    @Test
    void the_thread_that_locked_has_its_lease_and_no_other_thread_has() {
        assertThat(lock.lease()).isEmpty();
        lock.lock();
        Lease lease = lock.lease().orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, seen::add);
        assertThat(lease.fencingToken()).isPositive();
        assertThat(lease.remaining()).isPositive();
        lock.lock();
        assertThat(client.lock("a").asReentrantLock().lease()).containsSame(lease);
        assertThat(elsewhere(lock::lease)).isEmpty();
        lock.unlock();
        assertThat(lock.lease()).containsSame(lease);
        assertThat(seen).isEmpty();
        lock.unlock();
        assertThat(lock.lease()).isEmpty();
        assertThat(seen).containsExactly(LeaseState.RELEASED);
    }

    @Test
    void re_entry_with_other_options_is_refused_naming_both_and_counts_nothing() {
        LockOptions brief = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));
        ReentrantDistributedLock other = client.lock("a", brief).asReentrantLock();
        lock.lock();
        for (ThrowingCallable entry : List.<ThrowingCallable>of(
                other::lock, other::lockInterruptibly, other::tryLock, () -> other.tryLock(1, TimeUnit.SECONDS))) {
            assertThatThrownBy(entry)
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessage("lock 'a' is held by this thread with the client's renewed lease:"
                            + " it can't be re-entered with a fixed lease of PT5S");
        }
        assertThat(lock.getHoldCount()).isOne();
        other.unlock();
        assertThat(server.size()).isZero();
        assertThat(other.tryLock()).isTrue();
        LockOptions same = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));
        assertThat(client.lock("a", same).asReentrantLock().tryLock()).isTrue();
        assertThatThrownBy(lock::tryLock).hasMessageContaining("with a fixed lease of PT5S: it can't be re-entered");
        other.unlock();
        other.unlock();
    }

    @Test
    void a_lease_released_under_its_lock_is_told_by_each_unlock_and_harms_nobody() {
        lock.lock();
        lock.lock();
        lock.lease().orElseThrow().close();
        LockClient others = LockClient.over(
                server.link(), ClientOptions.defaults().timing(time).executor(Runnable::run));
        Lease next = others.lock("a").tryAcquire().orElseThrow();
        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("its lease is RELEASED");
        assertThat(lock.getHoldCount()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasNoCause()
                    .hasMessage("lock 'a' was released before it was unlocked: through its lease");
        }
        assertThatThrownBy(lock::unlock).hasMessageContaining("not held");
        next.ensureHeld();
        assertThat(lock.tryLock()).isFalse();
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void another_thread_may_release_the_lease_and_the_owner_is_told() {
        lock.lock();
        Lease lease = lock.lease().orElseThrow();
        assertThat(elsewhere(lease::release)).isEqualTo(ReleaseResult.RELEASED);
        assertThat(elsewhere(() -> lock.tryLock())).isTrue();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("through its lease");
        assertThat(lease.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertThat(server.size()).isOne();
    }

    @Test
    void a_lost_lease_counts_until_it_is_unlocked_so_that_a_guarded_unlock_tells_of_it() {
        lock.lock();
        time.pause(Duration.ofMinutes(1));
        assertThat(lock.lease().orElseThrow().state()).isEqualTo(LeaseState.LOST);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(lock::unlock).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.lease()).isEmpty();
    }

    @Test
    void it_says_what_is_locked() {
        assertThat(lock.name()).isEqualTo("a");
        assertThat(lock).hasToString("ReentrantDistributedLock[a]");
    }
}
