package io.hasp.evaluation.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Workload;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** With locks that belong to threads: another thread's unlock fails. */
class LockHolderTest {
    private static final Workload MANY = new Workload(Experiments.DISTINCT, 1, 1, 100, Duration.ZERO);

    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final LockHolder holder = new LockHolder();

    private final LockUser user = new LockUser() {
        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait) throws InterruptedException {
            ReentrantLock lock = locks.computeIfAbsent(name, unused -> new ReentrantLock());
            return lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)
                    ? Optional.of(() -> release(lock))
                    : Optional.empty();
        }

        @Override
        public void close() {}
    };

    private static boolean release(ReentrantLock lock) {
        boolean held = lock.isHeldByCurrentThread();
        lock.unlock();
        return held;
    }

    private long held() {
        return locks.values().stream().filter(ReentrantLock::isLocked).count();
    }

    @Test
    void each_lock_is_taken_and_released_by_the_same_thread_again_and_again() throws Exception {
        for (int round = 0; round < 3; round++) {
            holder.hold(user, MANY);
            assertThat(locks).hasSize(MANY.locks());
            assertThat(held()).isEqualTo(MANY.locks());

            holder.drop();
            assertThat(held()).isZero();
        }
    }

    @Test
    void a_lock_that_was_lost_is_told() throws Exception {
        holder.hold((Answers) name -> Optional.of(() -> !name.equals(MANY.lockName(57))), MANY);

        assertThatThrownBy(holder::drop).hasMessageContaining("a lock was lost while it was held");
    }

    @Test
    void a_lock_that_is_not_free_is_told() {
        assertThatThrownBy(() -> holder.hold((Answers) name -> Optional.empty(), MANY))
                .hasMessageContaining("a free lock was refused");
    }

    /** Says for each name what comes of asking for it. */
    @FunctionalInterface
    private interface Answers extends LockUser {
        Optional<Hold> ask(String name);

        @Override
        default Optional<Hold> tryAcquire(String lock, Duration wait) {
            return ask(lock);
        }

        @Override
        default void close() {}
    }
}
