package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.subject.Subject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contestants that take part in a full comparison only, or by name. */
@InTier(Tier.FULL)
class FullSubjectsTest {
    private static final Schedule SHORT = new Schedule(
            1, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofMillis(200), Duration.ofMillis(100));
    private static final List<Subject> ADDED = List.of(
            Subject.HASP_REDIS_JEDIS_FIFO,
            Subject.REDISSON_FENCEDLOCK,
            Subject.REDISSON_SPINLOCK,
            Subject.SPRING_REDIS_SPIN,
            Subject.SHEDLOCK_REDIS,
            Subject.CURATOR_SEMAPHORE_MUTEX,
            Subject.HASP_POSTGRES,
            Subject.SPRING_JDBC,
            Subject.SHEDLOCK_JDBC,
            Subject.BASELINE_POSTGRES,
            Subject.BASELINE_POSTGRES_DURABLE);

    @TempDir
    private Path folder;

    @Test
    void each_is_measured_and_safe_and_who_does_not_wait_only_where_nobody_has_to() throws Exception {
        List<String> added = ADDED.stream().map(Subject::label).toList();
        List<String> all =
                Stream.concat(Stream.of("hasp-redis-jedis"), added.stream()).toList();

        CommandRun run =
                CommandRun.of(SHORT, folder, "--only", "uncontended,handoff", "--subjects", String.join(",", all));

        assertThat(run.exit()).as(run.said()).isZero();
        assertThat(run.results().path("failures")).isEmpty();
        assertThat(measured(run, "uncontended")).containsExactlyInAnyOrderElementsOf(all);
        assertThat(measured(run, "handoff"))
                .containsExactlyInAnyOrderElementsOf(all.stream()
                        .filter(each -> !each.startsWith("shedlock-"))
                        .toList());
    }

    private static List<String> measured(CommandRun run, String experiment) {
        return StreamSupport.stream(run.results().path("measurements").spliterator(), false)
                .filter(each -> each.path("experiment").asText().equals(experiment))
                .map(each -> each.path("subject").asText())
                .distinct()
                .toList();
    }
}
