package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
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
    default void li5_successor_of_a_waiter_that_gives_up_is_neither_lost_nor_early() throws Exception {
        try (Trial trial = new Trial(subject());
                Lateness lateness = new Lateness()) {
            LockUser holder = trial.user();
            LockUser last = trial.user();
            for (String way : List.of("was interrupted", "lost patience", "was closed")) {
                LockUser middle = trial.user();
                Hold hold = trial.take(holder);
                Duration patience = way.equals("lost patience") ? Timings.units(20) : Timings.longWait();
                Trial.Task<?> leaving = trial.start(() -> middle.tryAcquire(trial.lock(), patience));
                trial.awaitPresent(faults(), 2);
                Trial.Task<Hold> waiting = trial.waiting(last);
                trial.awaitPresent(faults(), 3);
                if (way.equals("was interrupted")) {
                    leaving.thread().interrupt();
                } else if (way.equals("was closed")) {
                    middle.close();
                }
                trial.awaitPresent(faults(), 2);

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
        try (Trial trial = Trial.about(subject(), Claimed.FIFO)) {
            List<Integer> served = new ArrayList<>();
            Hold hold = trial.take(trial.user());
            List<Trial.Task<Boolean>> waiting = new ArrayList<>();
            List<LockUser> users = trial.users(clients);
            for (int i = 0; i < clients; i++) {
                int number = i;
                waiting.add(trial.start(() -> {
                    Hold mine = users.get(number)
                            .tryAcquire(trial.lock(), Timings.longWait())
                            .orElseThrow(() -> new AssertionError("client " + number + " waited in vain"));
                    served.add(number);
                    return mine.release();
                }));
                trial.awaitPresent(faults(), i + 2);
            }
            hold.release();
            for (Trial.Task<Boolean> task : waiting) {
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
        try (Trial trial = new Trial(subject())) {
            List<Trial.Task<Integer>> tasks = new ArrayList<>();
            for (LockUser user : trial.users(5)) {
                for (int thread = 0; thread < 10; thread++) {
                    String who = "waiter " + (tasks.size() + 1) + " of 50";
                    tasks.add(trial.start(() -> takeTurns(user, trial.lock(), who, rounds)));
                }
            }
            for (Trial.Task<Integer> task : tasks) {
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
     * What the server receives for one change of hands, with few and with many waiting clients. What they send anyway
     * while they wait is measured before and allowed for.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait() throws Exception {
        int few = 4;
        int many = Tier.count(30, 100);
        try (Trial trial = new Trial(subject())) {
            LockUser holder = trial.user();
            List<LockUser> waiters = trial.users(many);
            faults().received();
            Turns ofFew = turns(trial, holder, waiters.subList(0, few));
            Turns ofMany = turns(trial, holder, waiters);
            double allowed = 1.5 * ofFew.each() + many / 10.0 + ofMany.anyway();
            assertThat(ofMany.each())
                    .as("what the server receives for each change of hands with " + many + " waiters, against "
                            + ofFew.each() + " with " + few)
                    .isLessThanOrEqualTo(allowed);
        }
    }

    /** Of a queue that was served: what the server received for each turn, and how much of it may have been polls. */
    record Turns(double each, double anyway) {}

    private Turns turns(Trial trial, LockUser holder, List<LockUser> waiters) throws Exception {
        Hold hold = trial.take(holder);
        List<Trial.Task<Boolean>> waiting = new ArrayList<>();
        for (LockUser waiter : waiters) {
            waiting.add(trial.start(() -> waiter.tryAcquire(trial.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("a client waited in vain"))
                    .release()));
        }
        trial.awaitPresent(faults(), waiters.size() + 1);
        long idleFrom = System.nanoTime();
        long idleCount = faults().received();
        // Not a wait for something to happen: how much is sent while nothing happens.
        Thread.sleep(Timings.units(6).toMillis());
        long start = System.nanoTime();
        long before = faults().received();
        hold.release();
        for (Trial.Task<Boolean> task : waiting) {
            task.get();
        }
        double idlePerNano = (double) (before - idleCount) / (start - idleFrom);
        double each = (double) (faults().received() - before) / waiters.size();
        return new Turns(each, idlePerNano * (System.nanoTime() - start) / waiters.size());
    }
}
