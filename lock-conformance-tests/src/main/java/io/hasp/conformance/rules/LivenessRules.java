package io.hasp.conformance.rules;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** LI: every waiter gets its turn. */
public interface LivenessRules extends RuleGroup {
    /**
     * The lock is released at any moment around the waiter's first refusal and its subscription to news.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li3_waiter_wakes_when_the_release_falls_between_its_try_and_its_subscription() throws Exception {
        Random random = new Random(3);
        try (RuleRun run = new RuleRun(subject())) {
            LockUser holder = run.user();
            LockUser waiter = run.user();
            for (int round = 0; round < 40; round++) {
                Hold hold = run.take(holder);
                RuleRun.Task<Hold> waiting = run.waiting(waiter);
                LockSupport.parkNanos(random.nextInt(3_000_000));
                hold.release();
                waiting.within(Timings.tolerance(), "the lock was released and its only waiter still waits")
                        .release();
            }
        }
    }

    /**
     * The notification of the release is lost; polling replaces it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void li3_waiter_wakes_when_the_notification_is_lost() throws Exception {
        try (RuleRun run = new RuleRun(subject())) {
            LockUser holder = run.user();
            LockUser waiter = run.user();
            for (int round = 0; round < 3; round++) {
                Hold hold = run.take(holder);
                RuleRun.Task<Hold> waiting = run.waiting(waiter);
                waiting.awaitBlocked();
                faults().loseNotifications();
                hold.release();
                waiting.within(
                                Timings.tolerance().multipliedBy(2),
                                "the lock was released and its only waiter still waits")
                        .release();
            }
        }
    }
}
