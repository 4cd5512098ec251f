package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A lock that skips what is busy, for rules that need a wait to test something else: it tries again every few milliseconds until the wait is
 * over.
 *
 * @param lock a lock that does not wait
 */
record AskedAgain(LockSubject lock) implements LockSubject {
    private static final Duration PAUSE = Duration.ofMillis(5);

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public Set<Claimed> claims() {
        return lock.claims();
    }

    @Override
    public Duration silence() {
        return lock.silence();
    }

    @Override
    public LockUser open() throws Exception {
        return new User(lock.open());
    }

    private record User(LockUser user) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait) throws Exception {
            return until(wait, () -> user.tryAcquire(name, Duration.ZERO));
        }

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait, Duration lease) throws Exception {
            return until(wait, () -> user.tryAcquire(name, Duration.ZERO, lease));
        }

        private static Optional<Hold> until(Duration wait, Callable<Optional<Hold>> attempt) throws Exception {
            long begin = System.nanoTime();
            Optional<Hold> hold = attempt.call();
            while (hold.isEmpty() && System.nanoTime() - begin < wait.toNanos()) {
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
                hold = attempt.call();
            }
            return hold;
        }

        @Override
        public void close() throws Exception {
            user.close();
        }
    }
}
