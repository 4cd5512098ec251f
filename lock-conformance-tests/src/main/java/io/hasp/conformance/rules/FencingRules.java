package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** FE: fencing tokens distinguish an earlier grant from a later one. */
public interface FencingRules extends RuleGroup {
    /** Of one thread: a lock within one process gives millions in the full tier's time. */
    int MOST_GRANTS = 100_000;

    /**
     * Over several clients with several threads each, for a while.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fe1_tokens_increase_strictly() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.FENCING_TOKEN)) {
            assertIncreasing(run, run.users(3), 2);
        }
    }

    /**
     * Threads of one client, between which the lock may change hands without the server.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fe5_each_thread_of_one_client_gets_its_own_larger_token() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.FENCING_TOKEN)) {
            assertIncreasing(run, run.users(1), 8);
        }
    }

    private static void assertIncreasing(RuleRun run, List<LockUser> users, int threads) throws Exception {
        List<Long> tokens = new ArrayList<>();
        List<RuleRun.Task<Integer>> tasks = new ArrayList<>();
        long end = System.nanoTime() + Timings.units(Tier.count(5, 300)).toNanos();
        for (LockUser user : users) {
            for (int thread = 0; thread < threads; thread++) {
                tasks.add(run.start(() -> noteTokens(user, run.lock(), tokens, end)));
            }
        }
        int grants = 0;
        for (RuleRun.Task<Integer> task : tasks) {
            grants += task.get();
        }
        assertThat(tokens).hasSize(grants);
        for (int i = 1; i < tokens.size(); i++) {
            assertThat(tokens.get(i))
                    .as("token of grant " + (i + 1) + " of " + grants + " against that of the grant before")
                    .isGreaterThan(tokens.get(i - 1));
        }
    }

    /** Acquires until the time is over, or until there are more than enough tokens, but a few times in any case. */
    private static int noteTokens(LockUser user, String lock, List<Long> tokens, long end) throws Exception {
        int times = 0;
        for (; times < 10 || (System.nanoTime() - end < 0 && times < MOST_GRANTS); times++) {
            Hold hold = user.tryAcquire(lock, Timings.longWait())
                    .orElseThrow(() -> new AssertionError("a client waited in vain"));
            synchronized (tokens) {
                tokens.add(hold.token().orElseThrow(() -> new AssertionError("a hold without a token")));
            }
            hold.release();
        }
        return times;
    }

    /**
     * A new lease, after one that expired, does not repeat its token.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fe2_token_after_expiry_is_larger() throws Exception {
        try (RuleRun run = RuleRun.about(subject(), Claimed.FENCING_TOKEN, Claimed.FIXED_LEASE)) {
            LockUser second = run.user();
            long first = run.take(run.user(), Timings.units(2)).token().orElseThrow();
            Hold next = second.tryAcquire(run.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lease of 2 units never ended"));
            assertThat(next.token().orElseThrow()).as("token after expiry").isGreaterThan(first);
            next.release();
        }
    }

    /**
     * The server restarts with its data from disk.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fe2_token_after_a_restart_with_data_is_larger() throws Exception {
        assertLargerAfter(faults().server()::restart, "a restart with data", Claimed.FENCING_TOKEN);
    }

    /**
     * The server restarts without any data.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fe3_token_after_a_restart_without_data_is_larger() throws Exception {
        assertLargerAfter(
                faults().server()::restartWithoutData, "a restart without data", Claimed.TOKEN_AFTER_DATA_LOSS);
    }

    private void assertLargerAfter(Runnable restart, String event, Claimed needed) throws Exception {
        try (RuleRun run = RuleRun.about(subject(), needed)) {
            LockUser before = run.user();
            assertThat(run.take(before).release()).isTrue();
            long former = run.take(before).token().orElseThrow();
            restart.run();
            before.close();
            Hold next = run.user()
                    .tryAcquire(run.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("nobody gets the lock after " + event));
            assertThat(next.token().orElseThrow()).as("token after " + event).isGreaterThan(former);
            next.release();
        }
    }

    /**
     * A client whose acquisitions reach the server and whose answers are lost, between others that succeed.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fe4_token_of_an_acquisition_whose_reply_was_lost_is_never_given_twice() throws Exception {
        List<Long> tokens = new ArrayList<>();
        try (ProxiedSubject proxied = proxied();
                RuleRun run = RuleRun.about(subject(), Claimed.FENCING_TOKEN);
                RuleRun disturbed = new RuleRun(proxied.subject())) {
            LockUser direct = run.user();
            LockUser wired = disturbed.user();
            wired.tryAcquire(run.lock(), Duration.ZERO).orElseThrow().release();
            for (int round = 0; round < Tier.count(4, 40); round++) {
                Duration wait = round % 2 == 0 ? Duration.ZERO : Timings.longWait();
                long before = proxied.proxy().dropped(Direction.REPLIES);
                proxied.proxy().set(Direction.REPLIES, TrafficPolicy.DROP);
                RuleRun.Task<Optional<Hold>> asked = run.start(() -> wired.tryAcquire(run.lock(), wait));
                awaitLostReply(proxied.proxy(), before);
                proxied.proxy().heal();
                try {
                    Optional<Hold> hold = asked.get();
                    if (hold.isPresent()) {
                        tokens.add(hold.get().token().orElseThrow());
                        hold.get().release();
                    }
                } catch (ExecutionException e) {
                    // Asking again is not required. The token is lost, too.
                }
                Hold hold = direct.tryAcquire(run.lock(), Timings.longWait())
                        .orElseThrow(() -> new AssertionError("what a lost reply granted is held for ever"));
                tokens.add(hold.token().orElseThrow());
                hold.release();
            }
        }
        assertThat(tokens).as("tokens in the order of the grants").isSorted().doesNotHaveDuplicates();
    }

    private static void awaitLostReply(FaultProxy proxy, long before) {
        Awaitility.await("a reply is lost")
                .pollInterval(Duration.ofMillis(2))
                .atMost(Timings.longWait())
                .until(() -> proxy.dropped(Direction.REPLIES) > before);
    }
}
