package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.processes.CounterFile;
import io.hasp.conformance.processes.LocalClient;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.LockLoop.Outcome;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.processes.WorkingClient;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.KeepEvents;
import io.hasp.conformance.rules.support.KeepEvents.Kind;
import io.hasp.conformance.rules.support.Keeper;
import io.hasp.conformance.rules.support.MachineLateness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** KE1 and KE5: a kept lock is used again, by one client alone and by several at work. */
public interface KeptReuseRules extends KeptLockRules {
    /** More than twice as many as there are tokens for one grant of the server. */
    int BURST = 600;

    /** Reuses of a kept lock while its server is stopped. */
    int REUSES = 20;

    /**
     * The server is stopped, so that no request would be answered.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void ke1_keeper_locks_again_without_a_request_and_with_a_larger_token() throws Exception {
        try (KeptRun kept = KeptRun.about(this)) {
            Keeper keeper = kept.keeper();
            LockUser other = kept.other();
            keeper.useAgain(kept.lock(), REUSES, keeper.keep(kept.lock()));
            long token = usedWithoutServer(kept, keeper, 3);
            assertThat(Keeper.released(kept.run().take(other)))
                    .as("token of the next client")
                    .isGreaterThan(token);
        }
    }

    /** Tries again if the machine stood still, because a grant may have been too old to be kept afterwards. */
    private long usedWithoutServer(KeptRun kept, Keeper keeper, int tries) throws Exception {
        try (MachineLateness lateness = new MachineLateness()) {
            long token = keeper.keep(kept.lock());
            faults().server().pause();
            try {
                return keeper.useAgain(kept.lock(), REUSES, token);
            } catch (Exception | AssertionError e) {
                if (tries == 1 || lateness.worst().compareTo(KeptRun.KEEP.dividedBy(4)) < 0) {
                    throw e;
                }
            } finally {
                faults().server().resume();
            }
        }
        return usedWithoutServer(kept, keeper, tries - 1);
    }

    /**
     * The server stands still for longer than the lease, and the lock is used again after a while.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void ke1_lease_on_a_kept_lock_ends_with_the_grant_that_it_stands_on() throws Exception {
        Duration keep = KeptRun.KEEP;
        try (KeptRun kept = KeptRun.about(this)) {
            Keeper keeper = kept.keeper(keep);
            keeper.keep(kept.lock());
            long stopped = System.nanoTime();
            faults().server().pause();
            try {
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(2))
                        .atMost(Timings.longWait())
                        .until(() ->
                                System.nanoTime() - stopped >= Timings.units(3).toNanos());
                assertEnds(
                        keeper.takeAgain(kept.lock()),
                        stopped,
                        subject().leasing(keep.multipliedBy(3)).silence());
            } finally {
                faults().server().resume();
            }
        }
    }

    private static void assertEnds(Hold hold, long stopped, Duration silence) {
        try (MachineLateness lateness = new MachineLateness()) {
            Awaitility.await("a lease ends that no client can renew")
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Timings.longWait())
                    .until(() -> !hold.believesHeld());
            assertThat(Duration.ofNanos(System.nanoTime() - stopped))
                    .as("the time for which a client assumed its kept lock after the last answer of the server")
                    .isLessThan(silence.plus(Timings.units(1)).plus(lateness.worst()));
        }
    }

    /**
     * Each client uses the lock many times in a row. Others begin while it is at that, or when it has just done.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    default void ke5_recorded_holds_do_not_overlap_and_tokens_are_in_order_through_reuses_and_recalls()
            throws Exception {
        int reuses = Tier.count(2_000, 50_000);
        int recalls = Tier.count(10, 100);
        List<LocalClient> clients = new ArrayList<>();
        try (KeptRun kept = KeptRun.about(this)) {
            KeepEvents events = new KeepEvents();
            LockSubject keeping = subject()
                    .leasing(KeptRun.KEEP.multipliedBy(3))
                    .keeping(KeptRun.KEEP)
                    .notifying(events);
            for (int i = 1; i <= 4; i++) {
                clients.add(LocalClient.open("c" + i, i == 4 ? subject() : keeping));
            }
            SplittableRandom random = new SplittableRandom(1);
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Tier.count(2, 8));
            Outcome sum = Outcome.NONE;
            while ((events.of(kept.lock(), Kind.REUSED) < reuses || recalls(events, kept.lock()) < recalls)
                    && System.nanoTime() - end < 0) {
                sum = sum.plus(bursts(clients, kept.lock(), random));
            }
            assertThat(events.of(kept.lock(), Kind.REUSED))
                    .as("reuses of a kept lock")
                    .isGreaterThanOrEqualTo(reuses);
            assertThat(recalls(events, kept.lock())).as("recalls").isGreaterThanOrEqualTo(recalls);
            assertThat(sum).as("every attempt ended with a hold").isEqualTo(new Outcome(sum.held(), 0, 0, 0));
            check(clients, Checks.safety());
        } finally {
            for (LocalClient client : clients) {
                client.close();
            }
        }
    }

    private static int recalls(KeepEvents events, String lock) {
        return events.of(lock, Kind.RECALLED_IDLE) + events.of(lock, Kind.RECALLED_IN_USE);
    }

    /** Of two clients; the second one begins at any moment of the first one's burst, or a little later. */
    private static Outcome bursts(List<LocalClient> clients, String lock, SplittableRandom random) throws Exception {
        LockLoop loop = LockLoop.on(lock, Timings.longWait()).rounds(BURST).waiting(Timings.longWait());
        LocalClient first = clients.get(random.nextInt(clients.size()));
        LocalClient second = clients.get(random.nextInt(clients.size()));
        CompletableFuture<Outcome> one = first.looping(loop);
        TimeUnit.MICROSECONDS.sleep(random.nextInt(20_000));
        CompletableFuture<Outcome> other = second.looping(loop.rounds(1 + random.nextInt(BURST / 10)));
        return one.get(1, TimeUnit.MINUTES).plus(other.get(1, TimeUnit.MINUTES));
    }

    private static void check(List<? extends WorkingClient> clients, List<Check> checks) {
        History.merge(clients.stream().map(WorkingClient::history).toList())
                .check(checks)
                .orThrow();
    }

    /**
     * As in rule ME1, processes read, increment and write a counter in a file, under the lock. One of them does not
     * wait.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ke5_client_processes_that_keep_lose_no_update_of_a_counter() throws Exception {
        List<WorkingClient> clients = new ArrayList<>();
        try (KeptRun kept = KeptRun.about(this);
                ScratchFolder folder = ScratchFolder.create();
                CounterFile counter = CounterFile.open(folder.path().resolve("counter"));
                HistoryLog end = HistoryLog.inMemory()) {
            for (int i = 1; i <= Tier.count(2, 5); i++) {
                clients.add(kept.crashable(this, "p" + i));
            }
            LockLoop loop = LockLoop.on(kept.lock(), Timings.units(Tier.count(5, 100)))
                    .waiting(Timings.longWait())
                    .counting(folder.path().resolve("counter"));
            List<CompletableFuture<Outcome>> running = new ArrayList<>();
            for (WorkingClient client : clients) {
                running.add(client.looping(running.isEmpty() ? loop.waiting(Duration.ZERO) : loop));
            }
            Outcome sum = Outcome.NONE;
            for (CompletableFuture<Outcome> one : running) {
                sum = sum.plus(one.get(2, TimeUnit.MINUTES));
            }
            end.total(kept.lock(), counter.read());
            assertThat(sum.failed()).as("attempts that failed").isZero();
            assertThat(counter.read()).as("the counter after the last hold").isEqualTo(sum.held());
            check(clients, Checks.safety());
        }
    }
}
