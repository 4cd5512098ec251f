package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.subject.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hasp compare --servers sentinel} and {@code cluster}, on real processes. */
@InTier(Tier.STANDARD)
class TopologiesTest {
    private static final Schedule SHORT = new Schedule(
            1, Duration.ofSeconds(10), Duration.ofSeconds(120), Duration.ofMillis(200), Duration.ofMillis(100));
    private static final Schedule ONE_TRIAL =
            new Schedule(1, Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofSeconds(8), Duration.ofSeconds(1));

    private static final List<Subject> ASKED = Stream.of(
                    Subject.HASP_REDIS_JEDIS,
                    Subject.SPRING_REDIS,
                    Subject.BASELINE_REDIS,
                    Subject.CURATOR_MUTEX,
                    Subject.HASP_REDIS_LETTUCE,
                    Subject.HASP_REDIS_REDISSON,
                    Subject.REDISSON_RLOCK,
                    Subject.REDISSON_FAIRLOCK,
                    Subject.BASELINE_REDIS_LETTUCE,
                    Subject.BASELINE_REDIS_REDISSON)
            .limit(Tier.count(4, 10))
            .toList();

    @TempDir
    private Path folder;

    @Test
    @InTier(Tier.FULL)
    void locks_and_clients_are_compared_on_a_master_that_sentinels_watch() throws Exception {
        CommandRun run = compare(RedisTopology.SENTINEL);

        assertThat(measured(run)).isEqualTo(possibleOn(RedisTopology.SENTINEL)).contains("hasp-redis-redisson");
        assertThat(run.err())
                .contains("Starting Redis (a master, 2 replicas, 3 sentinels) ...")
                .contains("Left out: curator-mutex: it takes ZooKeeper (3 servers)");
    }

    @Test
    void locks_and_clients_are_compared_on_a_cluster() throws Exception {
        CommandRun run = compare(RedisTopology.CLUSTER);

        assertThat(measured(run))
                .isEqualTo(possibleOn(RedisTopology.CLUSTER))
                .contains("hasp-redis-jedis", "spring-redis");
        assertThat(run.err())
                .contains("Starting Redis (cluster of 3 masters, 3 replicas) ...")
                .contains("Left out: baseline-redis: its plain sockets lead to one server");
    }

    private CommandRun compare(RedisTopology topology) throws Exception {
        String asked = ASKED.stream().map(Subject::label).collect(Collectors.joining(","));
        CommandRun run = CommandRun.of(
                SHORT, folder, "--servers", topology.label(), "--only", "uncontended", "--subjects", asked);

        assertThat(run.exit()).as(run.said()).isZero();
        assertThat(run.results().path("failures")).isEmpty();
        assertThat(texts(run.results().path("subjects"), "service")).containsOnly(topology.words());
        assertThat(Files.readString(folder.resolve("report.html"))).contains(topology.words());
        assertThat(CommandRun.childProcesses()).isEmpty();
        return run;
    }

    private static List<String> possibleOn(RedisTopology topology) {
        return ASKED.stream()
                .filter(each -> each.obstacle(topology).isEmpty())
                .map(Subject::label)
                .sorted()
                .toList();
    }

    private static List<String> measured(CommandRun run) {
        return texts(run.results().path("measurements"), "subject").stream()
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    @InTier(Tier.FULL)
    void a_lock_passes_between_processes_on_a_cluster() throws Exception {
        CommandRun run = CommandRun.of(
                SHORT, folder, "--servers", "cluster", "--only", "handoff", "--subjects", "hasp-redis-jedis");

        assertThat(run.exit()).as(run.said()).isZero();
        assertThat(run.figure("hasp-redis-jedis", "commands_per_acquisition"))
                .as("counted by three masters together")
                .isGreaterThanOrEqualTo(2);
    }

    /** Without replicas that are behind: what is lost is a matter of chance, but that both go on is not. */
    @Test
    @InTier(Tier.FULL)
    void a_failover_of_the_sentinels_is_followed_by_hasp_and_by_redisson() throws Exception {
        String subjects = "hasp-redis-jedis,redisson-rlock";

        CommandRun run = CommandRun.of(
                ONE_TRIAL, folder, "--full", "--servers", "sentinel", "--only", "failover", "--subjects", subjects);

        assertThat(run.exit()).as(run.said()).isZero();
        for (String subject : subjects.split(",")) {
            assertThat(run.figure(subject, "gap")).as(subject).isPositive();
            assertThat(run.figure(subject, "stale_tokens")).as(subject).isZero();
        }
    }

    private static List<String> texts(JsonNode array, String field) {
        Stream<JsonNode> all = StreamSupport.stream(array.spliterator(), false);
        return all.map(each -> each.path(field).asText()).toList();
    }
}
