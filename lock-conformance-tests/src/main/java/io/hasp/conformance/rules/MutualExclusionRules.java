package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.processes.CounterFile;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.LockLoop.Outcome;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.rules.support.ClientJvmGroup;
import io.hasp.conformance.rules.support.HoldLog;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** ME: at most one client holds a lock. */
public interface MutualExclusionRules extends RuleGroup {

    /**
     * Client processes with two threads each read, increment and write a counter in a file, under the lock.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void me1_client_processes_lose_no_update_of_a_counter() throws Exception {
        int rounds = Tier.count(60, 2_000);
        try (ClientJvmGroup group = ClientJvmGroup.of(this, Tier.count(3, 8));
                ScratchFolder folder = ScratchFolder.create();
                CounterFile counter = CounterFile.open(folder.path().resolve("counter"));
                HistoryLog end = HistoryLog.inMemory();
                RuleRun run = new RuleRun(subject())) {
            LockLoop loop = LockLoop.on(run.lock(), Duration.ofMinutes(1))
                    .rounds(rounds)
                    .threads(2)
                    .waiting(Timings.longWait())
                    .counting(folder.path().resolve("counter"));
            Outcome sum = group.run(loop);
            end.total(run.lock(), counter.read());

            History history = History.merge(List.of(group.history(), end.history()));
            history.check(Checks.noLostUpdate(), Checks.noOverlap()).orThrow();
            assertThat(sum).as("every attempt ended with a hold").isEqualTo(new Outcome(sum.held(), 0, 0, 0));
            assertThat(counter.read()).as("the counter after the last hold").isEqualTo(sum.held());
        }
    }

    /**
     * The plainest rule of all.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void me2_second_client_is_refused_while_first_holds() throws Exception {
        try (RuleRun run = new RuleRun(subject())) {
            LockUser second = run.user();
            Hold hold = run.take(run.user());
            run.assertRefused(second, "the first holds it");
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
            assertThat(run.take(second).release()).isTrue();
        }
    }

    /**
     * Four clients request the lock at the same moment, many times.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void me2_of_clients_that_ask_at_once_only_one_gets_the_lock() throws Exception {
        int rounds = 200;
        try (RuleRun run = new RuleRun(subject())) {
            List<LockUser> users = run.users(4);
            CyclicBarrier together = new CyclicBarrier(users.size());
            List<List<Boolean>> granted = new ArrayList<>();
            List<RuleRun.Task<List<Boolean>>> tasks = new ArrayList<>();
            for (LockUser user : users) {
                tasks.add(run.start(() -> askInRounds(user, run.lock(), together, rounds)));
            }
            for (RuleRun.Task<List<Boolean>> task : tasks) {
                granted.add(task.get());
            }
            for (int round = 0; round < rounds; round++) {
                int now = round;
                assertThat(granted.stream().filter(answers -> answers.get(now)).count())
                        .as("clients that hold the lock at the same time, in round " + round)
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    private static List<Boolean> askInRounds(LockUser user, String lock, CyclicBarrier together, int rounds)
            throws Exception {
        List<Boolean> answers = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            together.await();
            Optional<Hold> hold = user.tryAcquire(lock, Duration.ZERO);
            answers.add(hold.isPresent());
            together.await();
            if (hold.isPresent()) {
                hold.get().release();
            }
        }
        return answers;
    }

    /**
     * Several clients with several threads each; every hold is recorded.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void me2_recorded_holds_never_overlap() throws Exception {
        int each = 40;
        HoldLog log = new HoldLog();
        try (RuleRun run = new RuleRun(subject())) {
            List<RuleRun.Task<Integer>> tasks = new ArrayList<>();
            for (LockUser user : run.users(3)) {
                for (int thread = 1; thread <= 2; thread++) {
                    String who = "client " + (tasks.size() / 2 + 1) + " thread " + thread;
                    tasks.add(run.start(() -> holdRepeatedly(user, run.lock(), who, log, each)));
                }
            }
            for (RuleRun.Task<Integer> task : tasks) {
                task.get();
            }
            log.assertNoOverlap();
            assertThat(log.size()).as("every wait ended with a hold").isEqualTo(each * tasks.size());
        }
    }

    private static int holdRepeatedly(LockUser user, String lock, String who, HoldLog log, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            Hold hold = user.tryAcquire(lock, Timings.longWait())
                    .orElseThrow(() -> new AssertionError(who + " waited in vain"));
            long from = System.nanoTime();
            LockSupport.parkNanos(100_000);
            log.add(who, from, System.nanoTime());
            hold.release();
        }
        return times;
    }
}
