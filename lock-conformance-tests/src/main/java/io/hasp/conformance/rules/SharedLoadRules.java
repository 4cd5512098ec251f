package io.hasp.conformance.rules;

import static io.hasp.conformance.LockMode.READ;
import static io.hasp.conformance.LockMode.WRITE;
import static io.hasp.conformance.LockMode.permits;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.History;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.CounterFile;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.LockLoop.Outcome;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.processes.WorkingClient;
import io.hasp.conformance.rules.support.ClientJvmGroup;
import io.hasp.conformance.rules.support.LoadGroup;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.SharedRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RW and PE: many clients take a shared lock in all modes; their observations are checked afterwards. */
public interface SharedLoadRules extends RuleGroup {

    /**
     * Readers look at a counter that writers increment.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw1_recorded_holds_of_readers_and_writers_never_conflict() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE);
                ScratchFolder folder = ScratchFolder.create();
                LoadGroup group = LoadGroup.of(this, 3)) {
            Path counter = folder.path().resolve("counter");
            LockLoop loop = loop(run, Tier.count(60, 2_000)).counting(counter);
            Outcome sum = LoadGroup.sum(group.begin(
                    List.of(loop.as(WRITE), loop.as(READ).threads(2).holding(Duration.ofMillis(1)), loop.as(READ))));
            assertSound(group.history(), sum);
        }
    }

    /**
     * The same with processes.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    default void rw1_client_processes_that_read_and_write_never_conflict() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE);
                ClientJvmGroup processes = ClientJvmGroup.of(this, Tier.count(2, 6));
                ScratchFolder folder = ScratchFolder.create();
                CounterFile counter = CounterFile.open(folder.path().resolve("counter"))) {
            LockLoop loop =
                    loop(run, Tier.count(60, 2_000)).counting(folder.path().resolve("counter"));
            List<CompletableFuture<Outcome>> writing = new ArrayList<>();
            List<CompletableFuture<Outcome>> reading = new ArrayList<>();
            for (ClientJvm process : processes.clients()) {
                writing.add(process.looping(loop.as(WRITE)));
                reading.add(process.looping(loop.as(READ).threads(2)));
            }
            long written = LoadGroup.sum(writing).held();
            assertSound(processes.history(), LoadGroup.sum(reading));
            assertThat(counter.read()).as("the counter after the last writer").isEqualTo(written);
        }
    }

    /**
     * Some have little patience, so that waiters leave at any place of the queue.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw5_no_wake_up_is_lost_whoever_leaves() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE);
                LoadGroup group = LoadGroup.of(this, 3)) {
            LockLoop patient = loop(run, Tier.count(60, 2_000)).holding(Duration.ofMillis(1));
            LockLoop hasty = patient.waiting(Duration.ofMillis(2));
            Outcome sum = LoadGroup.sum(
                    group.begin(List.of(hasty.as(WRITE), patient.as(READ), hasty.as(READ), patient.as(WRITE))));
            assertThat(sum.failed()).as("attempts that failed").isZero();
            group.history().check(checks()).orThrow();
            run.take(run.user(), WRITE).release();
        }
    }

    private static LockLoop loop(SharedRun run, int rounds) {
        return LockLoop.on(run.lock(), Duration.ofMinutes(Tier.count(1, 2)))
                .rounds(rounds)
                .waiting(Timings.longWait());
    }

    /** Checks that each waiter was served, no call failed, and every observation has an explanation. */
    private void assertSound(History history, Outcome sum) {
        history.check(checks()).orThrow();
        assertThat(sum).as("every attempt ended with a hold").isEqualTo(new Outcome(sum.held(), 0, 0, 0));
    }

    private List<Check> checks() {
        boolean beliefs = subject().claims().contains(Claimed.LOSS_DETECTION);
        List<Check> checks = new ArrayList<>(List.of(
                beliefs ? Checks.noOverlapOfBeliefs() : Checks.noOverlap(),
                Checks.noLostUpdate(),
                Checks.noLostWakeUp(
                        Timings.tolerance().multipliedBy(2), subject().silence().plus(Timings.tolerance()))));
        if (subject().claims().contains(Claimed.FENCING_TOKEN)) {
            checks.addAll(List.of(Checks.tokensIncrease(), Checks.tokensUnique()));
        }
        if (beliefs && subject().claims().contains(Claimed.FENCING_TOKEN)) {
            checks.add(Checks.tokensIncreaseByAnswer());
        }
        return checks;
    }

    /**
     * Returns the number of times that permits are acquired and released.
     *
     * @return eight hundred, in the full tier a hundred thousand, unless overridden for a slower service
     */
    default int permitCycles() {
        return Tier.count(800, 100_000);
    }

    /**
     * Clients of all sizes take permits and give them back without a pause, and some of them are killed.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    default void pe1_permits_are_conserved_over_many_cycles_with_kills() throws Exception {
        int kills = Tier.count(2, 10);
        LockMode all = permits(4, 4);
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE);
                LoadGroup group = LoadGroup.of(this, 2)) {
            LockLoop loop = loop(run, permitCycles() / 8);
            List<CrashableClient> dying = run.crashable(
                    IntStream.rangeClosed(1, kills).mapToObj(i -> "dying" + i).toArray(String[]::new));
            List<CompletableFuture<Outcome>> living = group.begin(
                    List.of(loop.as(permits(1, 4)).threads(2), loop.as(permits(2, 4)), loop.as(permits(3, 4))));
            for (CrashableClient client : dying) {
                client.looping(loop.as(permits(1, 4)));
                client.looping(loop.as(permits(2, 4)));
                awaitHolds(client, 20);
                assertThat(client.tryAcquire(run.lock(), permits(1, 4), Timings.longWait()))
                        .as("a permit for a client that is about to die")
                        .isPresent();
                client.kill();
            }
            long killed = System.nanoTime();
            Outcome sum = LoadGroup.sum(living);
            assertThat(sum)
                    .as("every attempt of those that live ended with permits")
                    .isEqualTo(new Outcome(sum.held(), 0, 0, 0));
            assertBackAtRest(run, all, killed);
            List<History> histories =
                    new ArrayList<>(dying.stream().map(WorkingClient::history).toList());
            histories.add(group.history());
            History.merge(histories).check(checks()).orThrow();
        }
    }

    /** All of them at once, so no permit is lost; and no more of them, not even later, so none was added. */
    private void assertBackAtRest(SharedRun run, LockMode all, long killed) throws Exception {
        Duration limit = subject().silence().plus(Timings.tolerance());
        Hold hold = run.user()
                .tryAcquire(run.lock(), all, limit)
                .orElseThrow(() -> new AssertionError("not all permits are back when all clients have left: " + all));
        LockUser other = run.user();
        do {
            run.assertRefused(other, permits(1, all.capacity()), "all permits are out");
            // Not a wait for something to happen: the interval at which "nothing happened" is sampled.
            Thread.sleep(Timings.units(0.5).toMillis());
        } while (System.nanoTime() - killed < limit.toNanos());
        assertThat(hold.release()).isTrue();
    }

    private static void awaitHolds(WorkingClient client, int count) {
        try {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(Timings.longWait())
                    .until(() -> client.history().events().size() >= 4 * count);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("clients that ask for permits of all sizes get none any more", e);
        }
    }
}
