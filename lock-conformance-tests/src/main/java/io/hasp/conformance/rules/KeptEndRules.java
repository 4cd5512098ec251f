package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.rules.RuleRun.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** KE6 to KE10: how the keeping of a lock ends, also without a recall. */
public interface KeptEndRules extends KeptLockRules {
    /** So long that only the end of the time to keep can end what is kept. */
    Duration LONG_LEASE = Timings.units(60);

    Duration SHORT_KEEP = Timings.units(5);

    /**
     * Many names are used once, and their client lives on.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke6_nothing_is_on_the_server_when_the_time_to_keep_is_over() throws Exception {
        try (KeptRun kept = KeptRun.about(this)) {
            Keeper keeper = kept.keeper(SHORT_KEEP, LONG_LEASE);
            List<String> names = names(kept);
            for (String name : names) {
                keeper.keep(name);
            }
            for (String name : names) {
                Awaitility.await("a lock is not kept any more after " + SHORT_KEEP)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(20))
                        .atMost(SHORT_KEEP.plus(Timings.tolerance()))
                        .until(() -> faults().present(name) == 0);
            }
            keeper.keep(names.get(0));
        }
    }

    private static List<String> names(KeptRun kept) {
        return IntStream.range(0, 10).mapToObj(i -> kept.lock() + "-" + i).toList();
    }

    /**
     * Its process is stopped while it keeps locks; each is asked for again before it is continued, so that this is the first thing
     * that it does.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke7_keeper_that_was_stopped_beyond_its_lease_does_not_lock_again_what_others_hold() throws Exception {
        try (KeptRun kept = KeptRun.about(this);
                MachineLateness lateness = new MachineLateness()) {
            LockUser other = kept.other();
            CrashableClient stopped = kept.crashable(this, "stopped");
            List<String> names = names(kept).subList(0, 4);
            keep(stopped, names);
            stopped.pause();
            List<Hold> holds = takenOver(kept, other, names, "stopped", lateness);
            List<Task<Optional<Hold>>> again = new ArrayList<>();
            for (String name : names) {
                again.add(kept.run().start(() -> stopped.tryAcquire(name, Duration.ZERO)));
            }
            stopped.resume();
            for (Task<Optional<Hold>> one : again) {
                assertThat(granted(one))
                        .as("whether a client that was stopped while it kept a lock has it again, which another holds")
                        .isFalse();
            }
            for (Hold hold : holds) {
                Keeper.released(hold);
            }
        }
    }

    private void keep(CrashableClient keeper, List<String> names) throws Exception {
        for (String name : names) {
            Keeper.released(keeper.tryAcquire(name, Timings.longWait()).orElseThrow());
        }
        for (String name : names) {
            assertThat(faults().present(name))
                    .as("locks kept after their release")
                    .isOne();
        }
    }

    private List<Hold> takenOver(KeptRun kept, LockUser other, List<String> names, String how, MachineLateness lateness)
            throws Exception {
        List<Task<Hold>> waiting = new ArrayList<>();
        for (String name : names) {
            waiting.add(kept.run().waiting(other, name));
        }
        Duration limit = subject().silence().plus(Timings.tolerance());
        long end = System.nanoTime() + limit.toNanos();
        List<Hold> holds = new ArrayList<>();
        for (Task<Hold> one : waiting) {
            Duration left =
                    Duration.ofNanos(Math.max(0, end - System.nanoTime())).plus(lateness.allowance());
            holds.add(one.within(
                    left,
                    "a lock is still held that a client kept which was " + how + " " + limit
                            + " ago; the last of that"));
        }
        return holds;
    }

    /** An attempt that fails is as good as one that is refused. */
    private static boolean granted(Task<Optional<Hold>> asked) throws Exception {
        try {
            return asked.get().isPresent();
        } catch (ExecutionException e) {
            return false;
        }
    }

    /**
     * Its process is killed while it keeps locks that nobody uses.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke8_locks_of_a_keeper_that_was_killed_are_free_within_its_silence() throws Exception {
        try (KeptRun kept = KeptRun.about(this);
                MachineLateness lateness = new MachineLateness()) {
            LockUser other = kept.other();
            CrashableClient killed = kept.crashable(this, "killed");
            List<String> names = names(kept);
            keep(killed, names);
            killed.kill();
            for (Hold hold : takenOver(kept, other, names, "killed", lateness)) {
                Keeper.released(hold);
            }
        }
    }

    /**
     * A client that keeps many locks is closed.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke9_close_gives_back_what_is_kept() throws Exception {
        try (KeptRun kept = KeptRun.about(this)) {
            LockUser other = kept.other();
            Keeper keeper = kept.keeper(KeptRun.KEEP, LONG_LEASE);
            List<String> names = names(kept);
            for (String name : names) {
                keeper.keep(name);
            }
            keeper.user().close();
            for (String name : names) {
                Optional<Hold> hold = other.tryAcquire(name, Duration.ZERO);
                assertThat(hold)
                        .as("a lock that was kept by a client which is closed")
                        .isPresent();
                Keeper.released(hold.orElseThrow());
            }
        }
    }

    /**
     * Another client raises the floor, and the keeper itself does, of a lock that is kept and of one in use.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke9_token_floor_is_below_every_later_token_of_a_lock_that_was_kept() throws Exception {
        try (KeptRun kept = KeptRun.about(this);
                LockClient other = subject().connect()) {
            Keeper keeper = kept.keeper();
            String lock = kept.lock();
            long floor = keeper.keep(lock) + 1_000_000;
            raise(kept, other, lock, floor);
            assertThat(Keeper.released(keeper.take(lock)))
                    .as("token of a client that kept the lock when the floor was raised")
                    .isGreaterThan(floor);
            floor = keeper.keep(lock) + 1_000_000;
            Hold hold = keeper.take(lock);
            raise(kept, other, lock, floor);
            assertThat(hold.believesHeld())
                    .as("whether it is held when the floor is raised")
                    .isTrue();
            Keeper.released(hold);
            assertThat(Keeper.released(keeper.take(lock)))
                    .as("token of a client that used the lock when the floor was raised")
                    .isGreaterThan(floor);
        }
    }

    private static void raise(KeptRun kept, LockClient client, String lock, long floor) throws Exception {
        Task<Boolean> raised = kept.run().start(() -> {
            client.lock(lock).raiseTokenFloor(floor);
            return true;
        });
        try {
            raised.within(Timings.tolerance(), "the floor of a lock that a client keeps is not raised");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnsupportedCapabilityException none) {
                throw new TestAbortedException("no token floor is offered", none);
            }
            throw e;
        }
    }

    /**
     * An administrator deletes a lock that is kept. Its client learns that from the server, at the next renewal at the latest.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke9_lock_that_is_deleted_while_it_is_kept_is_anothers_and_its_keeper_learns_it() throws Exception {
        try (KeptRun kept = KeptRun.about(this)) {
            LockUser other = kept.other();
            Keeper keeper = kept.keeper(Timings.units(10));
            keeper.keep(kept.lock());
            faults().deleteLock(kept.lock());
            Hold next = kept.run().take(other);
            Optional<Hold> again = keeper.user().tryAcquire(kept.lock(), Duration.ZERO);
            if (again.isPresent()) {
                Awaitility.await("a client learns that the lock was deleted which it kept and uses again")
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(Timings.units(32))
                        .until(() -> !again.get().believesHeld());
                assertThat(again.get().release())
                        .as("release of a deleted lock")
                        .isFalse();
            }
            kept.run().assertRefused(keeper.user(), "it got the lock when that was deleted");
            Keeper.released(next);
            keeper.take(kept.lock()).release();
        }
    }

    /**
     * The connections on which clients are told that others want their locks end; perhaps they do not notice that.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke10_keeper_that_is_not_told_of_others_keeps_a_lock_no_longer_than_it_said() throws Exception {
        try (KeptRun kept = KeptRun.about(this)) {
            LockUser other = kept.other();
            Keeper keeper = kept.keeper(SHORT_KEEP, LONG_LEASE);
            keeper.keep(kept.lock());
            faults().loseNotifications();
            kept.run()
                    .waiting(other)
                    .within(
                            SHORT_KEEP.plus(Timings.tolerance()),
                            "a lock is held that nobody uses, whose client keeps it for " + SHORT_KEEP
                                    + " and was not told that it is wanted,")
                    .release();
        }
    }

    /**
     * The keeper's connections break, and it can't connect again, for much less time than its lease lasts.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke10_keeper_whose_connection_is_lost_does_not_use_or_keep_what_it_kept() throws Exception {
        try (KeptRun kept = KeptRun.about(this);
                ProxiedSubject proxied = proxied();
                LockUser other = subject().open()) {
            Keeper keeper = kept.keeper(proxied, Timings.units(50), Timings.units(150));
            keeper.keep(kept.lock());
            proxied.proxy().refuse();
            proxied.proxy().cut(ConnectionEnd.RST);
            Awaitility.await("a client does not use again what it kept, since it can't hear of others")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Timings.tolerance())
                    .until(() -> !granted(keeper, kept.lock()));
            proxied.proxy().heal();
            other.tryAcquire(kept.lock(), Timings.units(40))
                    .orElseThrow(() -> new AssertionError(
                            "a client that is connected again keeps what it kept before its connection was lost"))
                    .release();
        }
    }

    private static boolean granted(Keeper keeper, String lock) throws InterruptedException {
        try {
            Optional<Hold> hold = keeper.user().tryAcquire(lock, Duration.ZERO);
            if (hold.isPresent()) {
                hold.get().release();
            }
            return hold.isPresent();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return false;
        }
    }
}
