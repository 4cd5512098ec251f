package io.hasp.evaluation.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Distance;
import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.Participant;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With locks that belong to threads: another thread's unlock fails. */
class LockHolderTest {
    private static final Workload MANY = new Workload(Experiments.DISTINCT, 1, 1, 400, Duration.ZERO);

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

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void each_lock_is_taken_and_released_by_the_same_thread_again_and_again(int threads) throws Exception {
        for (int round = 0; round < 3; round++) {
            holder.hold(user, MANY, threads);
            assertThat(locks).hasSize(MANY.locks());
            assertThat(held()).isEqualTo(MANY.locks());

            holder.drop();
            assertThat(held()).isZero();
        }
    }

    @Test
    void a_lock_that_was_lost_is_told() throws Exception {
        holder.hold((Answers) name -> Optional.of(() -> !name.equals(MANY.lockName(57))), MANY, 16);

        assertThatThrownBy(holder::drop).hasMessageContaining("a lock was lost while it was held");
    }

    @Test
    void a_lock_that_is_not_free_is_told() {
        assertThatThrownBy(() -> holder.hold((Answers) name -> Optional.empty(), MANY, 16))
                .hasMessageContaining("a free lock was refused");
    }

    /** Spring's registry shares local locks between names: with several threads it would refuse some of them. */
    @Test
    void a_registry_that_shares_local_locks_between_names_holds_many() throws Exception {
        try (Servers servers = Servers.start(EnumSet.of(Service.REDIS), RedisTopology.STANDALONE, Distance.NONE);
                SubjectClients clients = SubjectClients.open(Participant.of("spring-redis"), servers.environment())) {
            holder.hold(clients.first(), MANY, clients.holderThreads());
            holder.drop();
        }
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
