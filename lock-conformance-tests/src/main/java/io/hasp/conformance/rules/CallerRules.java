package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import io.hasp.conformance.rules.support.ThreadInterrupter;
import io.hasp.conformance.rules.support.WaitOverruns;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** AP: the ends of calls, for any lock. {@link ApiRules} has those of Hasp's own API. */
public interface CallerRules extends RuleGroup {
    /**
     * While another holds the lock.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap1_interrupt_ends_a_wait_and_leaves_no_place_in_the_queue() throws Exception {
        try (RuleRun run = new RuleRun(subject())) {
            LockUser holder = run.user();
            LockUser waiter = run.user();
            LockUser next = run.user();
            for (int round = 0; round < 5; round++) {
                Hold hold = run.take(holder);
                RuleRun.Task<Optional<Hold>> waiting =
                        run.start(() -> waiter.tryAcquire(run.lock(), Timings.longWait()));
                waiting.awaitBlocked();
                waiting.thread().interrupt();
                assertInterrupted(waiting);
                hold.release();
                assertFree(run, next, "its holder released it and its waiter was interrupted");
            }
        }
    }

    private static void assertInterrupted(RuleRun.Task<Optional<Hold>> waiting) throws Exception {
        try {
            Optional<Hold> answer = waiting.within(Timings.tolerance(), "an interrupted wait still goes on");
            throw new AssertionError("an interrupted wait ended with an answer: " + answer);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).as("what an interrupted wait ends with").isInstanceOf(InterruptedException.class);
        }
    }

    /**
     * The lock is free and the interrupt comes at any moment of the acquisition; a grant that came first is released, and that is not
     * interrupted.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap1_interrupt_at_any_moment_leaves_nothing_held() throws Exception {
        Random random = new Random(1);
        try (RuleRun run = new RuleRun(subject())) {
            LockUser user = run.user();
            LockUser next = run.user();
            for (int round = 0; round < 60; round++) {
                CountDownLatch interrupted = new CountDownLatch(1);
                RuleRun.Task<Boolean> task = run.start(() -> acquireAndRelease(run, user, interrupted));
                LockSupport.parkNanos(random.nextInt(1_500_000));
                task.thread().interrupt();
                interrupted.countDown();
                task.get();
                assertFree(run, next, "the acquisition was interrupted, or its grant released without an interrupt");
            }
        }
    }

    private static boolean acquireAndRelease(RuleRun run, LockUser user, CountDownLatch interrupted) throws Exception {
        Optional<Hold> hold;
        try {
            hold = user.tryAcquire(run.lock(), Timings.longWait());
        } catch (InterruptedException e) {
            return false;
        }
        while (interrupted.getCount() > 0) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
        return hold.orElseThrow(() -> new AssertionError("a free lock was refused"))
                .release();
    }

    /**
     * The interrupt comes at any moment of the release, or just after it. With any result of the call, the lock is free
     * soon.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap1_interrupt_at_any_moment_of_a_release_leaves_nothing_held() throws Exception {
        Random random = new Random(1);
        try (RuleRun run = new RuleRun(subject())) {
            LockUser user = run.user();
            LockUser next = run.user();
            for (int round = 0; round < 60; round++) {
                CountDownLatch releasing = new CountDownLatch(1);
                RuleRun.Task<Optional<Boolean>> task = run.start(() -> {
                    Hold hold = run.take(user);
                    releasing.countDown();
                    return ThreadInterrupter.released(hold);
                });
                if (!releasing.await(Timings.longWait().toNanos(), TimeUnit.NANOSECONDS)) {
                    task.get();
                }
                LockSupport.parkNanos(random.nextInt(1_000_000));
                task.thread().interrupt();
                task.get();
                assertFree(run, next, "its release was interrupted");
            }
        }
    }

    private static void assertFree(RuleRun run, LockUser next, String because) throws Exception {
        next.tryAcquire(run.lock(), Timings.tolerance())
                .orElseThrow(() -> new AssertionError(
                        "the lock is not free after " + Timings.tolerance() + " although " + because))
                .release();
    }

    /**
     * The first attempt of a new client counts, on names never used before.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap2_zero_wait_on_a_free_lock_succeeds() throws Exception {
        try (RuleRun run = new RuleRun(subject())) {
            LockUser user = run.user();
            for (int i = 0; i < 50; i++) {
                Optional<Hold> hold = user.tryAcquire(run.lock() + "-" + i, Duration.ZERO);
                assertThat(hold).as("zero wait on a lock that nobody ever held").isPresent();
                hold.orElseThrow().release();
            }
        }
    }

    /**
     * Neither before the wait is over nor much later.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap2_wait_for_a_held_lock_ends_empty_and_on_time() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                MachineLateness lateness = new MachineLateness()) {
            LockUser second = run.user();
            LockUser first = run.user();
            WaitOverruns overruns = new WaitOverruns();
            for (double units : new double[] {0.5, 1, 1.5, 2, 3}) {
                Duration wait = Timings.units(units);
                Hold hold = run.take(first);
                long start = System.nanoTime();
                Optional<Hold> answer = second.tryAcquire(run.lock(), wait);
                overruns.ended(wait, start);
                assertThat(answer).as("another holds the lock").isEmpty();
                assertThat(hold.release()).as("the holder's release succeeds").isTrue();
            }
            overruns.assertKept(lateness);
        }
    }
}
