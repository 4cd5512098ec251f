package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.rules.support.IsolatedClient;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** FA: the effects on callers of a network that loses requests, answers or everything. */
public interface NetworkRules extends RuleGroup {

    /**
     * The server has granted the lock, but the answer never arrives.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fa5_grant_whose_answer_is_lost_is_an_exception_and_no_stuck_lock() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = new RuleRun(proxied.subject());
                LockUser other = subject().open()) {
            LockUser user = run.user();
            run.take(user).release();
            proxied.proxy().set(Direction.REPLIES, TrafficPolicy.DROP);
            assertFails(run.start(() -> user.tryAcquire(run.lock(), Timings.units(3))));
            proxied.proxy().heal();
            Hold hold = awaitFree(run, other);
            run.assertRefused(run.user(), "another has got it since");
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    /**
     * The client waits long enough to retry.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fa5_attempt_that_is_repeated_after_a_lost_answer_is_one_grant() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = new RuleRun(proxied.subject());
                LockUser other = subject().open()) {
            LockUser user = run.user();
            run.take(user).release();
            proxied.proxy().when(Direction.REPLIES, "", connection -> connection.cut(ConnectionEnd.RST));
            Optional<Hold> hold = repeated(() -> user.tryAcquire(run.lock(), Timings.longWait()));
            assertThat(hold).as("a lock without other waiters").isPresent();
            run.assertRefused(other, "the first holds it");
            assertThat(hold.orElseThrow().release())
                    .as("the holder's release succeeds")
                    .isTrue();
            awaitFree(run, other).release();
        }
    }

    /** A lock that does not retry may fail instead. That is an honest answer, and leaves nothing to check. */
    private static Optional<Hold> repeated(Callable<Optional<Hold>> attempt) throws Exception {
        try {
            return attempt.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new TestAbortedException(
                    "an attempt whose answer is lost is not repeated, but fails: "
                            + e.getClass().getSimpleName(),
                    e);
        }
    }

    /**
     * No request reaches the server.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fa6_requests_that_are_lost_are_an_exception_and_nothing_is_held() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = new RuleRun(proxied.subject());
                LockUser other = subject().open()) {
            LockUser user = run.user();
            run.take(user).release();
            proxied.proxy().set(Direction.REQUESTS, TrafficPolicy.DROP);
            assertFails(run.start(() -> user.tryAcquire(run.lock(), Timings.units(3))));
            Hold hold = run.take(other);
            proxied.proxy().heal();
            run.assertHeldFor(Timings.lease(), hold, run.user());
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    private static void assertFails(RuleRun.Task<Optional<Hold>> asked) throws Exception {
        try {
            Optional<Hold> answer = asked.answeredWithin(
                    Timings.longWait(), "a broken network, and no answer at all to a short attempt");
            throw new AssertionError(
                    answer.isPresent()
                            ? "the lock was granted by a server that could not say so"
                            : "a broken network was reported as 'another client holds the lock'");
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(Exception.class);
        }
    }

    private static Hold awaitFree(RuleRun run, LockUser next) {
        return Awaitility.await("the lock is free again, at latest when its lease or session has ended")
                .atMost(Timings.longWait())
                .until(() -> next.tryAcquire(run.lock(), Timings.tolerance()), Optional::isPresent)
                .orElseThrow();
    }

    /**
     * The cable is cut: no reset, no error, just silence.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fa7_wait_of_two_seconds_on_a_silent_network_ends_in_time() throws Exception {
        Duration wait = Timings.units(20);
        try (IsolatedClient isolated = isolated("isolated");
                RuleRun run = new RuleRun(subject());
                MachineLateness lateness = new MachineLateness()) {
            run.take(isolated.client()).release();
            isolated.network().partition();
            long asked = System.nanoTime();
            var attempt = isolated.client().acquiring(run.lock(), wait, null);
            assertThat(attempt)
                    .as("an attempt without a network")
                    .failsWithin(Timings.longWait().multipliedBy(3).toNanos(), TimeUnit.NANOSECONDS);
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .as("how long a wait of " + wait + " took")
                    .isLessThan(wait.plus(Timings.units(5)).plus(lateness.allowance()));
            run.take(run.user()).release();
            isolated.network().heal();
        }
    }

    /**
     * The cable is cut for longer than the server waits, and mended.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fa7_holder_that_was_cut_off_is_told_and_leaves_the_next_alone() throws Exception {
        try (IsolatedClient isolated = isolated("isolated");
                RuleRun run = RuleRun.about(subject(), Claimed.LOSS_DETECTION, Claimed.RENEWAL)) {
            ClientJvm cutOff = isolated.client();
            LockUser other = run.user();
            Hold lost = run.take(cutOff);
            isolated.network().partition();
            Hold next = other.tryAcquire(run.lock(), subject().silence().plus(Timings.longWait()))
                    .orElseThrow(() -> new AssertionError("the lock of a client that is cut off is never freed"));
            assertThat(lost.believesHeld())
                    .as("whether a client that is cut off believes in a lock that another has")
                    .isFalse();
            isolated.network().heal();
            run.assertHeldFor(Timings.lease(), next, run.user());
            assertThat(next.release()).as("the holder's release succeeds").isTrue();
            Awaitility.await("the client that was cut off can lock again")
                    .atMost(Timings.longWait().multipliedBy(2))
                    .ignoreExceptions()
                    .until(() ->
                            cutOff.tryAcquire(run.lock(), Timings.tolerance()).isPresent());
        }
    }
}
