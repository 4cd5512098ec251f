package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.rules.support.KeepEvents.Kind;
import io.hasp.conformance.rules.support.Keeper;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * KE: a lock that stays with its client after a release, and its way to other clients. For Hasp's own option
 * {@code keep}.
 */
public interface KeptLockRules extends RuleGroup {

    /**
     * Returns true if clients may keep locks.
     *
     * @return false for options that exclude it: strict order forbids that a kept lock is reused before another client
     *     that waits
     */
    default boolean mayKeep() {
        return true;
    }
    /** Earlier than the next poll. */
    Duration PROMPT = Timings.units(1.5);

    /** Shorter than a lock is kept, so that only a recall helps. */
    Duration PATIENCE = Timings.units(8);

    /** So many that the tokens of one grant last for longer than a waiter has patience. */
    int USE_MILLIS = 5;

    /** A lock may pass between the threads of its client for 20 ms, and the last of these uses it. */
    Duration HANDED_OFF = Duration.ofMillis(20 + USE_MILLIS);

    @Override
    HaspSubject subject();

    /**
     * Starts a client of the same lock that keeps locks, in the way that the adopter supports; a rule may stop and kill
     * it.
     *
     * @param name its name in reports
     * @param keep how long it keeps an unused lock
     * @return a client whose lease is {@link Timings#lease()}; the rule closes it
     * @throws Exception if it can't be started
     */
    default CrashableClient crashableKeeper(String name, Duration keep) throws Exception {
        throw new TestAbortedException("no client processes that keep locks for this subject");
    }

    /**
     * The lock is not in use; its client only keeps it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke2_waiter_gets_a_lock_that_is_only_kept() throws Exception {
        List<Duration> rounds = new ArrayList<>();
        try (KeptRun kept = KeptRun.about(this)) {
            Keeper keeper = kept.keeper();
            LockUser other = kept.other();
            for (int round = 0; round < 9; round++) {
                long token = keeper.keepUsedTwice(kept.lock());
                try (MachineLateness lateness = new MachineLateness()) {
                    long asked = System.nanoTime();
                    Hold hold = other.tryAcquire(kept.lock(), PATIENCE)
                            .orElseThrow(() -> new AssertionError(
                                    "a waiter was refused for " + PATIENCE + " on an idle kept lock"));
                    rounds.add(Duration.ofNanos(System.nanoTime() - asked).minus(lateness.worst()));
                    assertThat(Keeper.released(hold))
                            .as("token of who got a lock that was kept")
                            .isGreaterThan(token);
                }
            }
        }
        assertPrompt(rounds, "the wait for a lock that was only kept");
    }

    private static void assertPrompt(List<Duration> rounds, String what) {
        Duration median = rounds.stream().sorted().toList().get(rounds.size() / 2);
        assertThat(median)
                .as("the median of " + what + ", in " + rounds.size() + " rounds")
                .isLessThanOrEqualTo(PROMPT);
    }

    /**
     * The client is notified that another client waits, and does not keep the lock after this use.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke3_lock_in_use_goes_to_the_waiter_at_its_release() throws Exception {
        List<Duration> rounds = new ArrayList<>();
        try (KeptRun kept = KeptRun.about(this)) {
            Keeper keeper = kept.keeper();
            LockUser other = kept.other();
            for (int round = 0; round < 9; round++) {
                keeper.keep(kept.lock());
                int recalled = keeper.events().of(kept.lock(), Kind.RECALLED_IN_USE);
                Hold hold = keeper.take(kept.lock());
                Task<Long> waiting = kept.run().start(() -> momentOfGrant(other, kept.lock()));
                assertRecalledInUse(keeper, kept.lock(), recalled);
                try (MachineLateness lateness = new MachineLateness()) {
                    long released = System.nanoTime();
                    Keeper.released(hold);
                    long got = waiting.within(Timings.tolerance(), "a lock was kept although another client waits");
                    rounds.add(Duration.ofNanos(got - released).minus(lateness.worst()));
                }
            }
        }
        assertPrompt(rounds, "the time from the release to the next client, which had waited for it");
    }

    private static long momentOfGrant(LockUser waiter, String lock) throws Exception {
        Hold next = waiter.tryAcquire(lock, Timings.longWait())
                .orElseThrow(() -> new AssertionError("a waiter was never woken"));
        long at = System.nanoTime();
        next.release();
        return at;
    }

    private static void assertRecalledInUse(Keeper keeper, String lock, int before) {
        assertThat(keeper.events().awaitMore(lock, Kind.RECALLED_IN_USE, before, Timings.tolerance()))
                .as("the client of a lock in use is notified of another client's request")
                .isTrue();
    }

    /**
     * Threads of one client take the lock and give it back without a pause.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke3_waiter_is_not_starved_by_a_keeper_that_uses_the_lock_again_and_again() throws Exception {
        for (int threads : new int[] {1, 4}) {
            try (KeptRun kept = KeptRun.about(this)) {
                Keeper keeper = kept.keeper();
                AtomicBoolean stop = new AtomicBoolean();
                List<Task<Integer>> users = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    users.add(kept.run().start(() -> useUntil(stop, keeper, kept.lock())));
                }
                List<Duration> rounds = waitsBesideUses(kept.other(), keeper, kept.lock());
                stop.set(true);
                for (Task<Integer> user : users) {
                    assertThat(user.get()).as("uses of the client that keeps").isPositive();
                }
                assertPrompt(
                        rounds,
                        "the wait for a lock that " + threads + " threads of its client use again and again, less "
                                + HANDED_OFF);
            }
        }
    }

    private static List<Duration> waitsBesideUses(LockUser other, Keeper keeper, String lock) throws Exception {
        List<Duration> rounds = new ArrayList<>();
        for (int round = 0; round < 9; round++) {
            awaitUsed(keeper, lock);
            try (MachineLateness lateness = new MachineLateness()) {
                long asked = System.nanoTime();
                Optional<Hold> hold = other.tryAcquire(lock, Timings.tolerance());
                rounds.add(Duration.ofNanos(System.nanoTime() - asked)
                        .minus(HANDED_OFF)
                        .minus(lateness.worst()));
                assertThat(hold)
                        .as("who waits while a client uses the lock it keeps again and again")
                        .isPresent();
                hold.orElseThrow().release();
            }
        }
        return rounds;
    }

    private static int useUntil(AtomicBoolean stop, Keeper keeper, String lock) throws Exception {
        int uses = 0;
        while (!stop.get()) {
            Hold hold = keeper.user()
                    .tryAcquire(lock, Timings.longWait())
                    .orElseThrow(() -> new AssertionError("a thread of the client that keeps waited in vain"));
            // Not a wait for something to happen: for so long the lock is used.
            TimeUnit.MILLISECONDS.sleep(USE_MILLIS);
            Keeper.released(hold);
            uses++;
        }
        return uses;
    }

    /** So that the lock is not given from one waiter to the next. */
    private static void awaitUsed(Keeper keeper, String lock) {
        int before = keeper.events().of(lock, Kind.REUSED);
        keeper.events().awaitMore(lock, Kind.REUSED, before + 3, Timings.tolerance());
    }

    /**
     * An attempt without a wait distinguishes a lock in use from a lock that is only kept.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke4_zero_wait_gets_a_lock_that_is_only_kept_and_no_lock_in_use() throws Exception {
        int rounds = 9;
        int granted = 0;
        try (KeptRun kept = KeptRun.about(this)) {
            Keeper keeper = kept.keeper();
            LockUser other = kept.other();
            for (int round = 0; round < rounds; round++) {
                keeper.keepUsedTwice(kept.lock());
                Optional<Hold> tried = other.tryAcquire(kept.lock(), Duration.ZERO);
                if (tried.isPresent()) {
                    granted++;
                    Keeper.released(tried.get());
                }
                int recalled = keeper.events().of(kept.lock(), Kind.RECALLED_IN_USE);
                Hold hold = keeper.take(kept.lock());
                kept.run().assertRefused(other, "its client uses the lock that it would keep");
                assertRecalledInUse(keeper, kept.lock(), recalled);
                kept.run().assertRefused(other, "its client uses a lock that was wanted before");
                Keeper.released(hold);
            }
        }
        // A client that does not answer for 40 ms counts as one that uses its lock.
        assertThat(granted)
                .as("attempts without a wait that got a lock which was only kept, of " + rounds)
                .isGreaterThan(rounds / 2);
    }
}
