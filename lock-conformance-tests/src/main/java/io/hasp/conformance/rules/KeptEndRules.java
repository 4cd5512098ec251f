package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.Keeper;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** KE6 and KE9: the end of a kept lock without a recall. */
public interface KeptEndRules extends KeptLockRules {
    /**
     * Many names are used once, and their client lives on.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ke6_nothing_is_on_the_server_when_the_time_to_keep_is_over() throws Exception {
        try (KeptRun kept = KeptRun.about(this)) {
            Keeper keeper = kept.keeper(KeptRun.SHORT_KEEP, KeptRun.LONG_LEASE);
            List<String> names = kept.names(10);
            for (String name : names) {
                keeper.keep(name);
            }
            for (String name : names) {
                Awaitility.await("a lock is not kept any more after " + KeptRun.SHORT_KEEP)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(20))
                        .atMost(KeptRun.SHORT_KEEP.plus(Timings.tolerance()))
                        .until(() -> faults().present(name) == 0);
            }
            keeper.keep(names.get(0));
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
            Keeper keeper = kept.keeper(KeptRun.KEEP, KeptRun.LONG_LEASE);
            List<String> names = kept.names(10);
            for (String name : names) {
                keeper.keep(name);
            }
            keeper.user().close();
            for (String name : names) {
                assertThat(faults().present(name))
                        .as("holders on the server of a lock that was kept by a client which is closed")
                        .isZero();
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
    @MostlyWaits
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
}
