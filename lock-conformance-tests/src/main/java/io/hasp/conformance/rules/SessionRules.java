package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** ZK: the effects of a session's end on a lock that lives in a session. Skipped for locks without sessions. */
public interface SessionRules extends RuleGroup {

    /**
     * The server ends the holder's session; its client connects again, in another one.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void zk1_lock_whose_session_ended_is_lost_and_stays_lost() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.LOSS_DETECTION)) {
            LockUser first = run.user();
            LockUser second = run.user();
            Hold lost = run.take(first);
            faults().endSessions(run.lock());
            Awaitility.await("the holder is told that its session ended")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Timings.longWait())
                    .until(() -> !lost.believesHeld());
            Hold next = second.tryAcquire(run.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lock of a session that ended is never freed"));
            Hold again = Awaitility.await("the first client works again")
                    .atMost(Timings.longWait())
                    .ignoreExceptions()
                    .until(() -> first.tryAcquire(run.lock() + "-other", Timings.tolerance()), Optional::isPresent)
                    .orElseThrow();
            assertThat(lost.believesHeld()).as("a lost lock is believed again").isFalse();
            assertThat(lost.release()).as("release of a lost lock").isFalse();
            run.assertRefused(first, "a lock that was lost is released by its former holder");
            assertThat(again.release()).isTrue();
            assertThat(next.release()).as("the holder's release succeeds").isTrue();
        }
    }

    /**
     * A waiter's connection breaks, and its turn comes while the server still shows what it had queued before.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void zk2_lock_granted_after_an_interruption_outlives_the_interrupted_session() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = new RuleRun(proxied.subject());
                LockUser holder = subject().open();
                LockUser third = subject().open()) {
            LockUser waiter = run.user();
            Hold first = run.take(holder);
            RuleRun.Task<Optional<Hold>> waiting = run.start(
                    () -> waiter.tryAcquire(run.lock(), subject().silence().plus(Timings.longWait())));
            Awaitility.await("the waiter is queued")
                    .atMost(Timings.longWait())
                    .until(() -> faults().present(run.lock()) == 2);
            proxied.proxy().cut(ConnectionEnd.RST);
            first.release();
            Optional<Hold> granted = waiting.get();
            assertThat(granted).as("a waiter that was cut off for a moment").isPresent();
            // The session that was interrupted is over by then, if its client did not take it up again.
            run.assertHeldFor(subject().silence().plus(Timings.tolerance()), granted.orElseThrow(), third);
            assertThat(granted.orElseThrow().release())
                    .as("the holder's release succeeds")
                    .isTrue();
        }
    }
}
