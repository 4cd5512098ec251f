package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** LI: many wait for one lock. */
public interface QueueRules extends RuleGroup {

    /**
     * A waiter between two others is interrupted, loses patience, or closes its client.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void li5_successor_of_a_waiter_that_gives_up_is_neither_lost_nor_early() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                MachineLateness lateness = new MachineLateness()) {
            LockUser holder = run.user();
            LockUser last = run.user();
            for (String way : List.of("was interrupted", "lost patience", "was closed")) {
                LockUser middle = run.user();
                Hold hold = run.take(holder);
                Duration patience = way.equals("lost patience") ? Timings.units(20) : Timings.longWait();
                RuleRun.Task<?> leaving = run.start(() -> middle.tryAcquire(run.lock(), patience));
                run.awaitPresent(faults(), 2);
                RuleRun.Task<Hold> waiting = run.waiting(last);
                run.awaitPresent(faults(), 3);
                if (way.equals("was interrupted")) {
                    leaving.thread().interrupt();
                } else if (way.equals("was closed")) {
                    middle.close();
                }
                run.awaitPresent(faults(), 2);

                waiting.assertStillWaits(Timings.units(2), "the waiter before it " + way + ", and the lock is held");
                hold.release();
                waiting.within(
                                Timings.tolerance().plus(lateness.allowance()),
                                "the waiter behind one that " + way + " still waits for a free lock")
                        .release();
            }
        }
    }

    /**
     * Clients that queue one after the other.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li6_waiting_clients_are_served_in_the_order_in_which_they_asked() throws Exception {
        int clients = Tier.count(20, 50);
        try (RuleRun run = RuleRun.about(subject(), Claimed.FIFO)) {
            List<Integer> served = new ArrayList<>();
            Hold hold = run.take(run.user());
            List<RuleRun.Task<Boolean>> waiting = new ArrayList<>();
            List<LockUser> users = run.users(clients);
            for (int i = 0; i < clients; i++) {
                int number = i;
                waiting.add(run.start(() -> {
                    Hold mine = users.get(number)
                            .tryAcquire(run.lock(), Timings.longWait())
                            .orElseThrow(() -> new AssertionError("client " + number + " waited in vain"));
                    served.add(number);
                    return mine.release();
                }));
                run.awaitPresent(faults(), i + 2);
            }
            hold.release();
            for (RuleRun.Task<Boolean> task : waiting) {
                assertThat(task.get()).as("the holder's release succeeds").isTrue();
            }
            assertThat(served)
                    .as("the order of service")
                    .isEqualTo(IntStream.range(0, clients).boxed().toList());
        }
    }

    /**
     * Fifty threads of five clients come back several times.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li6_none_of_fifty_waiters_starves() throws Exception {
        int rounds = Tier.count(4, 50);
        try (RuleRun run = new RuleRun(subject())) {
            List<RuleRun.Task<Integer>> tasks = new ArrayList<>();
            for (LockUser user : run.users(5)) {
                for (int thread = 0; thread < 10; thread++) {
                    String who = "waiter " + (tasks.size() + 1) + " of 50";
                    tasks.add(run.start(() -> takeTurns(user, run.lock(), who, rounds)));
                }
            }
            for (RuleRun.Task<Integer> task : tasks) {
                assertThat(task.within(Timings.longWait().multipliedBy(2), "a waiter still waits"))
                        .isEqualTo(rounds);
            }
        }
    }

    private static int takeTurns(LockUser user, String lock, String who, int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            user.tryAcquire(lock, Timings.longWait())
                    .orElseThrow(() -> new AssertionError(who + " starved"))
                    .release();
        }
        return rounds;
    }

    /**
     * Counts the server's commands for one change of holder, with few and with many waiting clients. The clients'
     * background traffic is measured first and subtracted.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait() throws Exception {
        int few = 4;
        int many = Tier.count(30, 100);
        try (RuleRun run = new RuleRun(subject())) {
            LockUser holder = run.user();
            List<LockUser> waiters = run.users(many);
            faults().received();
            TurnCost ofFew = turns(run, holder, waiters.subList(0, few));
            TurnCost ofMany = turns(run, holder, waiters);
            double allowed = 1.5 * ofFew.each() + many / 10.0 + ofMany.anyway();
            assertThat(ofMany.each())
                    .as("requests at the server for each change of hands with " + many + " waiters, against "
                            + ofFew.each() + " with " + few)
                    .isLessThanOrEqualTo(allowed);
        }
    }

    /** Of a queue that was served: what the server received for each turn, and how much of it may have been polls. */
    record TurnCost(double each, double anyway) {}

    private TurnCost turns(RuleRun run, LockUser holder, List<LockUser> waiters) throws Exception {
        Hold hold = run.take(holder);
        List<RuleRun.Task<Boolean>> waiting = new ArrayList<>();
        for (LockUser waiter : waiters) {
            waiting.add(run.start(() -> waiter.tryAcquire(run.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("a client waited in vain"))
                    .release()));
        }
        run.awaitPresent(faults(), waiters.size() + 1);
        long idleFrom = System.nanoTime();
        long idleCount = faults().received();
        // Not a wait for something to happen: how much is sent while nothing happens.
        Thread.sleep(Timings.units(6).toMillis());
        long start = System.nanoTime();
        long before = faults().received();
        hold.release();
        for (RuleRun.Task<Boolean> task : waiting) {
            task.get();
        }
        double idlePerNano = (double) (before - idleCount) / (start - idleFrom);
        double each = (double) (faults().received() - before) / waiters.size();
        return new TurnCost(each, idlePerNano * (System.nanoTime() - start) / waiters.size());
    }
}
