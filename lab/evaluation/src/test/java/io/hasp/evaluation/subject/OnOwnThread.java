package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A thread-owned lock, for rules that pass holds between threads and take two from one thread: each hold has a thread
 * of its own that takes and releases it. The caller waits as that thread waits, and passes interrupts on to it. An
 * interrupt that a library reports by another exception counts as an interrupt: rules check its effects.
 *
 * @param lock a lock whose holds belong to threads
 */
record OnOwnThread(LockSubject lock) implements LockSubject {

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
            return acquired(() -> user.tryAcquire(name, wait));
        }

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait, Duration lease) throws Exception {
            return acquired(() -> user.tryAcquire(name, wait, lease));
        }

        @Override
        public Optional<Hold> tryAcquire(String name, LockMode mode, Duration wait) throws Exception {
            return acquired(() -> user.tryAcquire(name, mode, wait));
        }

        @Override
        public Optional<Hold> tryAcquire(String name, LockMode mode, Duration wait, Duration lease) throws Exception {
            return acquired(() -> user.tryAcquire(name, mode, wait, lease));
        }

        private static Optional<Hold> acquired(Callable<Optional<Hold>> attempt) throws Exception {
            Owner owner = new Owner();
            Optional<Hold> hold = Optional.empty();
            try {
                hold = owner.run(attempt);
                return hold.map(taken -> new Held(owner, taken));
            } finally {
                if (hold.isEmpty()) {
                    owner.end();
                }
            }
        }

        @Override
        public void close() throws Exception {
            user.close();
        }
    }

    private record Held(Owner owner, Hold hold) implements Hold {

        @Override
        public boolean release() throws Exception {
            boolean released = owner.run(hold::release);
            owner.end();
            return released;
        }

        @Override
        public Hold downgrade() throws Exception {
            return new Held(owner, owner.run(hold::downgrade));
        }

        @Override
        public Hold giveBack(int count) throws Exception {
            return new Held(owner, owner.run(() -> hold.giveBack(count)));
        }

        @Override
        public OptionalLong token() {
            return hold.token();
        }

        @Override
        public boolean believesHeld() {
            return hold.believesHeld();
        }
    }

    private static final class Owner {
        private volatile Thread thread = Thread.currentThread();
        private final ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), this::newThread);

        private Thread newThread(Runnable task) {
            thread = new Thread(task, "owner");
            thread.setDaemon(true);
            return thread;
        }

        <T> T run(Callable<T> work) throws Exception {
            Future<T> outcome = executor.submit(work);
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return await(outcome);
                    } catch (InterruptedException e) {
                        interrupted = true;
                        thread.interrupt();
                    }
                }
            } catch (ExecutionException e) {
                if (tellsOfAnInterrupt(e)) {
                    interrupted = false;
                    throw new InterruptedException(String.valueOf(e.getCause()));
                }
                throw e.getCause() instanceof Exception cause ? cause : e;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private static boolean tellsOfAnInterrupt(ExecutionException failure) {
            return Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
                    .anyMatch(InterruptedException.class::isInstance);
        }

        /** Looks busy while the owner is busy: rules look at their callers to see whether they wait for a lock. */
        private <T> T await(Future<T> outcome) throws ExecutionException, InterruptedException {
            while (!outcome.isDone()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                Thread.State state = thread.getState();
                if (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) {
                    TimeUnit.MILLISECONDS.sleep(1);
                } else {
                    Thread.onSpinWait();
                }
            }
            return outcome.get();
        }

        /** Its thread ends once it has nothing to do; a rule that gives back twice meets another one, which holds as little. */
        void end() {
            executor.allowCoreThreadTimeOut(true);
        }
    }
}
