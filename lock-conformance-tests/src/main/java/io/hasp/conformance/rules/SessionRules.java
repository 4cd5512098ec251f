package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Cut;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** ZK: what the end of a session does to a lock that lives in one. Not asked of locks that know no sessions. */
public interface SessionRules extends RuleGroup {

    /**
     * The server ends the holder's session; its client connects again, in another one.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void zk1_lock_whose_session_ended_is_lost_and_stays_lost() throws Exception {
        try (Trial trial = Trial.about(subject(), Claimed.LOSS_DETECTION)) {
            LockUser first = trial.user();
            LockUser second = trial.user();
            Hold lost = trial.take(first);
            faults().endSessions(trial.lock());
            Awaitility.await("the holder is told that its session ended")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Timings.longWait())
                    .until(() -> !lost.believesHeld());
            Hold next = second.tryAcquire(trial.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lock of a session that ended is never freed"));
            Hold again = Awaitility.await("the first client works again")
                    .atMost(Timings.longWait())
                    .ignoreExceptions()
                    .until(() -> first.tryAcquire(trial.lock() + "-other", Timings.tolerance()), Optional::isPresent)
                    .orElseThrow();
            assertThat(lost.believesHeld()).as("a lost lock is believed again").isFalse();
            assertThat(lost.release()).as("release of a lost lock").isFalse();
            trial.assertRefused(first, "a lock that was lost is released by its former holder");
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
    default void zk2_lock_granted_after_an_interruption_outlives_the_interrupted_session() throws Exception {
        try (Wire wire = wire();
                Trial trial = new Trial(wire.subject());
                LockUser holder = subject().open();
                LockUser third = subject().open()) {
            LockUser waiter = trial.user();
            Hold first = trial.take(holder);
            Trial.Task<Optional<Hold>> waiting = trial.start(
                    () -> waiter.tryAcquire(trial.lock(), subject().silence().plus(Timings.longWait())));
            Awaitility.await("the waiter is queued")
                    .atMost(Timings.longWait())
                    .until(() -> faults().present(trial.lock()) == 2);
            wire.proxy().cut(Cut.RST);
            first.release();
            Optional<Hold> granted = waiting.get();
            assertThat(granted).as("a waiter that was cut off for a moment").isPresent();
            // The session that was interrupted is over by then, if its client did not take it up again.
            trial.assertHeldFor(subject().silence().plus(Timings.tolerance()), granted.orElseThrow(), third);
            assertThat(granted.orElseThrow().release())
                    .as("the holder's release succeeds")
                    .isTrue();
        }
    }
}
