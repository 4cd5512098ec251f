package io.hasp.conformance.rules;

import static io.hasp.conformance.LockMode.permits;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.LeavingWaiter;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import io.hasp.conformance.rules.support.SharedRun;
import io.hasp.conformance.rules.support.SharedRun.Granted;
import io.hasp.conformance.rules.support.UnbrokenHolders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** PE: permits of a semaphore. */
public interface SemaphoreRules extends RuleGroup {

    /**
     * Of five permits, some are out with several clients.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe1_no_more_permits_than_the_total_are_out() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE)) {
            LockUser first = run.user();
            LockUser second = run.user();
            Hold two = run.take(first, permits(2, 5));
            Hold others = run.take(second, permits(2, 5));
            run.assertRefused(first, permits(2, 5), "four of five permits are out");
            Hold last = run.take(first, permits(1, 5));
            run.assertRefused(second, permits(1, 5), "five of five permits are out");
            assertThat(two.release()).as("the holder's release succeeds").isTrue();
            assertThat(two.release())
                    .as("whether permits were given back twice")
                    .isFalse();
            run.assertRefused(second, permits(3, 5), "three of five permits are out");
            run.take(second, permits(2, 5)).release();
            assertThat(others.release()).isTrue();
            assertThat(last.release()).isTrue();
            run.take(second, permits(5, 5)).release();
        }
    }

    /**
     * Two clients take turns so that one permit is always out, as long as the next one is let in.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe3_large_request_is_not_starved_by_small_ones() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE)) {
            UnbrokenHolders small = UnbrokenHolders.start(run, permits(1, 3));
            LockUser user = run.user();
            small.awaitTurns(10);
            Task<Optional<Hold>> asked =
                    run.start(() -> user.tryAcquire(run.lock(), permits(3, 3), UnbrokenHolders.PATIENCE));
            Optional<Hold> large = asked.get();
            assertThat(large)
                    .as("a request for all permits that waited for " + UnbrokenHolders.PATIENCE
                            + " while others took one and gave it back")
                    .isPresent();
            assertThat(large.orElseThrow().release()).isTrue();
            small.stop();
        }
    }

    /**
     * Many attempts without a wait compete for the one free permit. The large request queues again in each round,
     * because its wait is limited.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe3_no_small_request_that_came_after_a_large_one_is_granted_before_it() throws Exception {
        int newcomers = 250;
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE, Claimed.FIFO)) {
            LockUser holder = run.user();
            LockUser waiter = run.user();
            LockUser user = run.user();
            for (int round = 0; round < Tier.count(2, 40); round++) {
                Hold two = run.take(holder, permits(2, 4));
                Task<Granted> large = run.queued(waiter, permits(3, 4));
                int passed = 0;
                for (int i = 0; i < newcomers; i++) {
                    Optional<Hold> hold = user.tryAcquire(run.lock(), permits(1, 4), Duration.ZERO);
                    if (hold.isPresent()) {
                        passed++;
                        hold.get().release();
                    }
                }
                large.assertStillWaits(Duration.ZERO, "two of four permits are left");
                assertThat(passed)
                        .as("small requests that came after a large one and were granted before it, of " + newcomers)
                        .isZero();
                // The place of the last one that was refused may still be there.
                run.awaitPresent(2);
                Task<Granted> small = run.queued(user, permits(2, 4));
                small.assertStillWaits(Duration.ZERO, "a larger request was queued before it");
                assertThat(two.release()).isTrue();
                Granted first = large.get();
                small.assertStillWaits(Duration.ZERO, "one of four permits is left");
                first.release();
                small.get().release();
            }
        }
    }

    /**
     * Requests of different sizes wait.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void pe4_permits_given_back_early_let_exactly_those_in_who_fit() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE, Claimed.PARTIAL_GIVE_BACK, Claimed.FIFO);
                MachineLateness lateness = new MachineLateness()) {
            Hold all = run.take(run.user(), permits(4, 4));
            Task<Granted> two = run.queued(run.user(), permits(2, 4));
            Task<Granted> one = run.queued(run.user(), permits(1, 4));
            Task<Granted> more = run.queued(run.user(), permits(2, 4));

            Hold left = all.giveBack(3);

            Duration limit = Timings.tolerance().plus(lateness.allowance());
            Granted second = two.within(limit, "three permits were given back, and a request for two still waits");
            Granted third = one.within(limit, "one permit is left, and a request for one still waits");
            more.assertStillWaits(Timings.lease().plus(Timings.units(2)), "no permit is left");
            assertThat(left.believesHeld())
                    .as("the client assumes the permit that it kept")
                    .isTrue();
            second.release();
            more.within(limit, "two permits were given back, and a request for two still waits")
                    .release();
            third.release();
            assertThat(left.release())
                    .as("the release of what it kept succeeds")
                    .isTrue();
            run.take(run.user(), permits(4, 4)).release();
        }
    }

    /**
     * Two clients share the permits, for several leases.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void pe5_permits_are_renewed_for_as_long_as_their_clients_live() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE, Claimed.RENEWAL)) {
            Hold one = run.take(run.user(), permits(1, 4));
            Hold two = run.take(run.user(), permits(2, 4));
            Duration time = Timings.lease().multipliedBy(Tier.count(1, 10)).plus(Timings.units(3));
            run.assertOnlyFits(
                    time, run.user(), permits(1, 4), permits(2, 4), "three of four permits are out, and renewed");
            assertThat(one.believesHeld() && two.believesHeld())
                    .as("whether both believe in their permits")
                    .isTrue();
            assertThat(one.release())
                    .as("the release of permits that were renewed")
                    .isTrue();
            assertThat(two.release())
                    .as("the release of permits that were renewed")
                    .isTrue();
        }
    }

    /**
     * Of different sizes, and together no more than were released.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe6_waiters_that_fit_enter_with_one_release() throws Exception {
        List<LockMode> sizes = List.of(permits(1, 6), permits(2, 6), permits(3, 6));
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE)) {
            LockUser holder = run.user();
            List<LockUser> users = run.users(sizes.size());
            List<Duration> rounds = new ArrayList<>();
            for (int round = 0; round < 9; round++) {
                Hold all = run.take(holder, permits(6, 6));
                List<Task<Granted>> waiting = new ArrayList<>();
                for (int i = 0; i < sizes.size(); i++) {
                    waiting.add(run.queued(users.get(i), sizes.get(i)));
                }
                rounds.add(SharedRun.untilTheLast(
                        SharedRun.release(all), waiting, "all permits were released, and one who fits still waits"));
                SharedRun.release(waiting);
            }
            SharedRun.assertPrompt(rounds, "three that waited for permits and fit together");
        }
    }

    /**
     * It is interrupted while one permit is left, which it could not use.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe6_small_request_enters_when_the_large_one_before_it_gives_up() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE)) {
            Hold two = run.take(run.user(), permits(2, 3));
            LockUser large = run.user();
            LockUser small = run.user();
            List<Duration> rounds = new ArrayList<>();
            for (int round = 0; round < 9; round++) {
                LeavingWaiter leaving = LeavingWaiter.queued(run, large, permits(2, 3));
                Task<Granted> behind = run.behind(small, permits(1, 3));
                rounds.add(SharedRun.untilTheLast(
                        leaving::interrupt,
                        List.of(behind),
                        "a small request still waits behind a large one that gave up"));
                behind.get().release();
            }
            SharedRun.assertPrompt(rounds, "a small request behind a large one that gave up");
            assertThat(two.release()).isTrue();
        }
    }
}
