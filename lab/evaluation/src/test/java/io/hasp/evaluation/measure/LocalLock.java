package io.hasp.evaluation.measure;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/** A lock within this process that can be configured to misbehave. */
final class LocalLock implements LockUser {
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();
    private boolean excludes = true;
    private boolean knowsItsHolds = true;
    private Duration slowness = Duration.ZERO;
    private LongUnaryOperator token = next -> next;

    LocalLock lettingEverybodyIn() {
        excludes = false;
        return this;
    }

    LocalLock taking(Duration time) {
        slowness = time;
        return this;
    }

    LocalLock losingEveryHold() {
        knowsItsHolds = false;
        return this;
    }

    LocalLock withToken(LongUnaryOperator fromCounter) {
        token = fromCounter;
        return this;
    }

    @Override
    public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
        ReentrantLock mutex = locks.computeIfAbsent(lock, any -> new ReentrantLock(true));
        if (excludes && !mutex.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        TimeUnit.NANOSECONDS.sleep(slowness.toNanos());
        return Optional.of(new LocalHold(mutex, token.applyAsLong(tokens.incrementAndGet())));
    }

    @Override
    public void close() {}

    private final class LocalHold implements Hold {
        private final ReentrantLock mutex;
        private final long token;

        LocalHold(ReentrantLock mutex, long token) {
            this.mutex = mutex;
            this.token = token;
        }

        @Override
        public OptionalLong token() {
            return OptionalLong.of(token);
        }

        @Override
        public boolean release() {
            if (excludes) {
                mutex.unlock();
            }
            return knowsItsHolds;
        }
    }
}
