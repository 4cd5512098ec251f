package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.servers.TrialServers;
import io.hasp.evaluation.subject.Subject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments that break something, one trial each, on real servers. */
@InTier(Tier.STANDARD)
class TrialsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Schedule ONE_TRIAL =
            new Schedule(1, SECOND, Duration.ofHours(1), Duration.ofSeconds(6), SECOND);
    private static final String TRIALS = "takeover,failover,stopped,footprint";
    private static final int CALLERS = 4;

    @TempDir
    private Path folder;

    @Test
    void what_a_dead_holder_a_dead_master_a_silent_server_and_memory_cost_is_measured() throws Exception {
        String subject = "hasp-redis-jedis";
        CommandRun run = CommandRun.of(ONE_TRIAL, folder, "--full", "--only", TRIALS, "--subjects", subject);

        assertThat(run.exit()).as(run.said()).isZero();
        assertThat(run.figure(subject, "takeover"))
                .as("a lease, since the renewal before the kill")
                .isBetween(Experiments.LEASE.toMillis() / 3.0, Experiments.LEASE.toMillis() + 2_000.0);
        assertThat(run.figure(subject, "gap"))
                .as("nobody can lock while there is no master")
                .isBetween((double) TrialServers.PROMOTION.toMillis(), 7_000.0);
        assertThat(run.figure(subject, "overlaps"))
                .as(
                        "a replica that had not heard of the grant gives the lock away, unless the holder learns of it first")
                .isBetween(0.0, 1.0);
        assertThat(run.figure(subject, "stale_tokens")).isZero();
        assertThat(run.figure(subject, "told_error")).isEqualTo(CALLERS);
        // An attempt that is under way is awaited, for a command timeout of 2 s.
        assertThat(run.figure(subject, "overrun_max")).isBetween(0.0, 3_000.0);
        assertThat(run.figure(subject, "client_bytes_per_held")).isBetween(100.0, 20_000.0);
        assertThat(run.figure(subject, "client_bytes_per_waiter")).isBetween(100.0, 50_000.0);
        assertThat(run.figure(subject, "server_bytes_per_held")).isBetween(50.0, 2_000.0);
        assertThat(run.figure(subject, "server_bytes_per_waiter")).isBetween(50.0, 5_000.0);
        assertThat(CommandRun.childProcesses()).isEmpty();
    }

    @Test
    void a_killed_leader_is_followed_after_its_lease_and_one_that_resigns_at_once() throws Exception {
        elects("hasp-redis-jedis");
    }

    @Test
    @InTier(Tier.FULL)
    void every_election_is_measured() throws Exception {
        elects("hasp-redis-jedis", "spring-redis", "hasp-zookeeper", "curator-mutex", "curator-mutex-per-thread");
    }

    private void elects(String... subjects) throws Exception {
        CommandRun run = CommandRun.of(
                ONE_TRIAL, folder, "--full", "--only", "election", "--subjects", String.join(",", subjects));

        assertThat(run.exit()).as(run.said()).isZero();
        System.out.println(run.said());
        for (String subject : subjects) {
            assertThat(run.figure(subject, "takeover"))
                    .as(subject)
                    .isBetween(Experiments.LEASE.toMillis() / 3.0, Experiments.SESSION.toMillis() + 3_000.0);
            assertThat(run.figure(subject, "resignation")).as(subject).isBetween(0.0, 1_000.0);
        }
    }

    /**
     * Redisson is configured with the replica, as its documentation advises. With the one address only, a client would
     * lose the lock.
     */
    @Test
    @InTier(Tier.FULL)
    void redisson_waits_for_the_replica_and_loses_no_lock_to_a_failover() throws Exception {
        String subject = "redisson-rlock";

        CommandRun run = CommandRun.of(ONE_TRIAL, folder, "--full", "--only", "failover", "--subjects", subject);

        assertThat(run.exit()).as(run.said()).isZero();
        assertThat(run.figure(subject, "overlaps")).isZero();
        assertThat(run.figure(subject, "gap")).isPositive();
    }

    @Test
    @InTier(Tier.FULL)
    void a_dead_leader_keeps_everybody_waiting_and_takes_no_lock_away() throws Exception {
        String subject = "hasp-zookeeper";

        CommandRun run = CommandRun.of(ONE_TRIAL, folder, "--full", "--only", "failover", "--subjects", subject);

        assertThat(run.exit()).as(run.said()).isZero();
        assertThat(run.figure(subject, "gap")).isPositive();
        assertThat(run.figure(subject, "overlaps")).isZero();
        assertThat(run.figure(subject, "stale_tokens")).isZero();
    }

    @Test
    @InTier(Tier.FULL)
    void every_lock_goes_through_every_trial() throws Exception {
        // Strict order and a mutex for each thread make no difference here; a baseline has nothing to promise.
        List<String> subjects = Stream.of(Subject.values())
                .map(Subject::label)
                .filter(subject -> !subject.matches(".*-fifo|curator-mutex|shedlock-.*|baseline-.*"))
                .toList();

        CommandRun run =
                CommandRun.of(ONE_TRIAL, folder, "--full", "--only", TRIALS, "--subjects", String.join(",", subjects));

        assertThat(run.exit()).as(run.said()).isZero();
        System.out.println(run.said());
        assertFatesOf(subjects, run);
        for (String subject : List.of("hasp-redlock", "hasp-zookeeper")) {
            assertThat(run.figure(subject, "overlaps")).isZero();
        }
        for (String subject : subjects) {
            assertThat(run.figure(subject, "takeover")).isPositive();
            assertThat(run.figure(subject, "gap")).isPositive();
        }
    }

    private static void assertFatesOf(List<String> subjects, CommandRun run) {
        JsonNode failures = run.results().path("failures");
        assertThat(failures).isEmpty();
        for (String subject : subjects) {
            assertThat(Stream.of("told_error", "told_busy", "told_granted", "hung")
                            .mapToDouble(fate -> run.figure(subject, fate))
                            .sum())
                    .as(subject)
                    .isEqualTo(CALLERS);
        }
    }
}
