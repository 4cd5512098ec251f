package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.Keeper;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleRun.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** KE7, KE8 and KE10: clients that are stopped, killed or cut off while they keep locks. */
public interface KeeperFaultRules extends KeptLockRules {

    /**
     * The client's process is stopped while it keeps locks. Each lock is requested again before the process continues,
     * so that this request is the process's first action.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ke7_keeper_that_was_stopped_beyond_its_lease_does_not_lock_again_what_others_hold() throws Exception {
        try (KeptRun kept = KeptRun.about(this);
                MachineLateness lateness = new MachineLateness()) {
            LockUser other = kept.other();
            CrashableClient stopped = kept.crashable(this, "stopped");
            List<String> names = kept.names(4);
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
                        .as("a client that was stopped while it kept a lock uses it although another client holds it")
                        .isFalse();
            }
            for (Hold hold : holds) {
                Keeper.released(hold);
            }
        }
    }

    private void keep(CrashableClient keeper, List<String> names) throws Exception {
        for (String name : names) {
            keep(keeper, name);
        }
    }

    /** Retries like {@link Keeper#keep}: the state of this client is visible on the server only. */
    private void keep(CrashableClient keeper, String name) throws Exception {
        for (int i = 0; i < Keeper.TRIES; i++) {
            Keeper.released(keeper.tryAcquire(name, Timings.longWait()).orElseThrow());
            if (faults().present(name) == 1) {
                return;
            }
        }
        throw new AssertionError("a lock without other waiters was not kept after its release");
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
                    "a lock is still held although its keeper was " + how + " " + limit
                            + " ago; the last of these locks"));
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
     * The client's process is killed while it keeps locks that are not in use.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ke8_locks_of_a_keeper_that_was_killed_are_free_within_its_silence() throws Exception {
        try (KeptRun kept = KeptRun.about(this);
                MachineLateness lateness = new MachineLateness()) {
            LockUser other = kept.other();
            CrashableClient killed = kept.crashable(this, "killed");
            List<String> names = kept.names(10);
            keep(killed, names);
            killed.kill();
            for (Hold hold : takenOver(kept, other, names, "killed", lateness)) {
                Keeper.released(hold);
            }
        }
    }

    /**
     * The connections that carry the notifications about other clients' requests end, possibly unnoticed.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void ke10_keeper_that_is_not_told_of_others_keeps_a_lock_no_longer_than_it_said() throws Exception {
        try (KeptRun kept = KeptRun.about(this)) {
            LockUser other = kept.other();
            Keeper keeper = kept.keeper(KeptRun.SHORT_KEEP, KeptRun.LONG_LEASE);
            keeper.keep(kept.lock());
            faults().loseNotifications();
            kept.run()
                    .waiting(other)
                    .within(
                            KeptRun.SHORT_KEEP.plus(Timings.tolerance()),
                            "an unused lock is held, whose client keeps it for " + KeptRun.SHORT_KEEP
                                    + " and was not notified of the waiter,")
                    .release();
        }
    }

    /**
     * The keeper's connections break, and it can't connect again, for much less time than its lease lasts.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ke10_keeper_whose_connection_is_lost_does_not_use_or_keep_what_it_kept() throws Exception {
        try (KeptRun kept = KeptRun.about(this);
                ProxiedSubject proxied = proxied();
                LockUser other = subject().open();
                MachineLateness lateness = new MachineLateness()) {
            Keeper keeper = kept.keeper(proxied, Timings.units(20), Timings.units(60));
            keeper.keep(kept.lock());
            proxied.proxy().refuse();
            proxied.proxy().cut(ConnectionEnd.RST);
            Awaitility.await("the keeper tries to connect again")
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Timings.longWait())
                    .until(() -> proxied.proxy().refused() > 0);
            long noticed = System.nanoTime();
            while (granted(keeper, kept.lock())) {
                assertThat(Duration.ofNanos(System.nanoTime() - noticed))
                        .as("how long a client that can't hear of others used again what it kept")
                        .isLessThan(Timings.tolerance().plus(lateness.allowance()));
            }
            proxied.proxy().heal();
            other.tryAcquire(kept.lock(), Timings.units(80))
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
