package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.opentest4j.TestAbortedException;

/** One run of one rule: a lock name of its own, the clients it opened and the threads it started, all ended with it. */
public final class RuleRun implements AutoCloseable {
    private final LockSubject subject;
    private final List<LockUser> users = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final String lock = "rule-" + UUID.randomUUID();

    public RuleRun(LockSubject subject) {
        this.subject = subject;
    }

    /** Starts a rule about something that a lock may leave out. */
    public static RuleRun about(LockSubject subject, Claimed... needed) {
        for (Claimed claim : needed) {
            if (!subject.claims().contains(claim)) {
                throw new TestAbortedException(claim + " is not claimed");
            }
        }
        return new RuleRun(subject);
    }

    public String lock() {
        return lock;
    }

    /** A client as another process would have it. */
    public LockUser user() throws Exception {
        LockUser user = subject.open();
        synchronized (users) {
            users.add(user);
        }
        return user;
    }

    public List<LockUser> users(int count) throws Exception {
        List<LockUser> opened = new ArrayList<>();
        for (Future<LockUser> user : InParallel.run(Collections.<Callable<LockUser>>nCopies(count, this::user))) {
            opened.add(user.get());
        }
        return opened;
    }

    /**
     * Acquires a lock that must be free, once the traces of earlier waiters have gone. Retries while the server does
     * not answer (a busy disk stops ZooKeeper for seconds), but not after a refusal.
     */
    public Hold take(LockUser user) throws Exception {
        return answered(() -> user.tryAcquire(lock, Timings.tolerance())).orElseThrow(RuleRun::refused);
    }

    /** Takes a lock that has to be free, for a fixed time. */
    public Hold take(LockUser user, Duration lease) throws Exception {
        return answered(() -> user.tryAcquire(lock, Timings.tolerance(), lease)).orElseThrow(RuleRun::refused);
    }

    private static Optional<Hold> answered(Callable<Optional<Hold>> attempt) {
        return Awaitility.await("an answer of the server")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Timings.longWait())
                .ignoreExceptionsMatching(failure -> !(failure instanceof InterruptedException))
                .until(attempt, answer -> true);
    }

    private static AssertionError refused() {
        return new AssertionError("a lock that nobody holds was refused for " + Timings.tolerance());
    }

    public void assertRefused(LockUser user, String because) throws Exception {
        assertThat(user.tryAcquire(lock, Duration.ZERO))
                .as("another client must be refused: " + because)
                .isEmpty();
    }

    /** Takes the lock on a thread of its own, however long that takes. */
    public Task<Hold> waiting(LockUser user) {
        return waiting(user, lock);
    }

    public Task<Hold> waiting(LockUser user, String name) {
        return start(() -> user.tryAcquire(name, Timings.longWait())
                .orElseThrow(() -> new AssertionError("the waiter was never woken")));
    }

    /** Waits until so many clients are at the lock: its holder and those queued on the server. */
    public void awaitPresent(Faults faults, int count) throws Exception {
        awaitPresent(faults, lock, count);
    }

    public static void awaitPresent(Faults faults, String name, int count) throws Exception {
        AtomicInteger present = new AtomicInteger(faults.present(name));
        if (present.get() != count) {
            try {
                Awaitility.await()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(Timings.longWait())
                        .until(() -> {
                            present.set(faults.present(name));
                            return present.get() == count;
                        });
            } catch (ConditionTimeoutException e) {
                throw new AssertionError(
                        "the server has " + present + " clients at the lock, and not " + count + ", after "
                                + Timings.longWait(),
                        e);
            }
        }
    }

    /**
     * Checks for a time that the holder considers the lock held and that another client is refused. A renewal that was
     * late because the machine stood still proves nothing.
     */
    public void assertHeldFor(Duration time, Hold hold, LockUser other) throws Exception {
        try (MachineLateness lateness = new MachineLateness()) {
            assertHeldFor(time, hold, other, lateness::worst);
        }
    }

    public void assertHeldFor(Duration time, Hold hold, LockUser other, Supplier<Duration> lateness) throws Exception {
        try {
            watch(time, hold, other, lateness);
        } catch (AssertionError broken) {
            Duration late = lateness.get();
            // A client that renews at half of its lease has the other half left, for its own threads, the server and
            // the
            // answer.
            if (late.compareTo(Timings.lease().dividedBy(2)) > 0) {
                throw new TestAbortedException(
                        "nothing is shown: the machine stood still for " + late + ", of a lease of " + Timings.lease(),
                        broken);
            }
            throw broken;
        }
    }

    private void watch(Duration time, Hold hold, LockUser other, Supplier<Duration> lateness) throws Exception {
        long start = System.nanoTime();
        Duration passed = Duration.ZERO;
        while (passed.compareTo(time) < 0) {
            String since = passed + " (the machine was up to " + lateness.get() + " late)";
            assertRefused(other, "the first holds it since " + since + " and its client lives");
            assertThat(hold.believesHeld())
                    .as("whether the holder believes after " + since + " that it holds the lock")
                    .isTrue();
            // Not a wait for something to happen: the interval at which "nothing happened" is sampled.
            Thread.sleep(Timings.units(0.5).toMillis());
            passed = Duration.ofNanos(System.nanoTime() - start);
        }
    }

    /** Runs work on a thread of its own. */
    public <T> Task<T> start(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(work.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "rule-client");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return new Task<>(thread, result);
    }

    @Override
    public void close() throws Exception {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join(Timings.tolerance().toMillis());
        }
        List<Callable<LockUser>> ends = new ArrayList<>();
        for (LockUser user : users) {
            ends.add(() -> {
                user.close();
                return user;
            });
        }
        for (Future<LockUser> end : InParallel.run(ends)) {
            end.get();
        }
    }

    /** Work on a thread of its own. */
    public record Task<T>(Thread thread, CompletableFuture<T> result) {

        public T get() throws Exception {
            return get(Timings.longWait().multipliedBy(2));
        }

        /** Waits for the result; an exception of the work comes wrapped, as from any future. */
        public T get(Duration limit) throws Exception {
            return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        }

        /** Waits for something that has to happen within a limit, and as long again as this machine wakes its threads too late. */
        public T within(Duration limit, String orElse) throws Exception {
            return within(limit, (allowed, e) -> new AssertionError(orElse + " after " + allowed, e));
        }

        /** The same for an answer that may be late without being wrong. */
        public T answeredWithin(Duration limit, String orElse) throws Exception {
            return within(limit, (allowed, e) -> new LateAnswer(orElse + " after " + allowed, e));
        }

        private T within(Duration limit, BiFunction<Duration, Exception, AssertionError> orElse) throws Exception {
            long begun = System.nanoTime();
            Duration left = limit;
            try (MachineLateness lateness = new MachineLateness()) {
                while (true) {
                    try {
                        return get(left);
                    } catch (TimeoutException e) {
                        Duration allowed = limit.plus(lateness.allowance());
                        left = allowed.minusNanos(System.nanoTime() - begun);
                        if (left.isNegative() || left.isZero()) {
                            throw orElse.apply(allowed, e);
                        }
                    }
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof AssertionError error) {
                    throw error;
                }
                throw e;
            }
        }

        /** Watches for a while that nothing happens. */
        public void assertStillWaits(Duration time, String because) throws Exception {
            try {
                get(time);
            } catch (TimeoutException e) {
                return;
            }
            throw new AssertionError("a waiter must go on waiting: " + because);
        }

        /** Waits until the work blocks, on the lock we must assume. */
        public void awaitBlocked() {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(Timings.longWait())
                    .until(() -> result.isDone() || blocked());
            assertThat(result).as("the lock is held, so a second client waits").isNotDone();
        }

        /** Reads on sockets look runnable to the JVM, so a native frame counts as well. */
        private boolean blocked() {
            Thread.State state = thread.getState();
            if (state == Thread.State.RUNNABLE) {
                StackTraceElement[] stack = thread.getStackTrace();
                return stack.length > 0 && stack[0].isNativeMethod();
            }
            return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        }
    }
}
