package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.Subject;
import io.hasp.evaluation.subject.Subject.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command, on real servers, as short as it can be. */
@InTier(Tier.STANDARD)
class CompareTest {
    private static final Schedule SHORT = new Schedule(
            1, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofMillis(200), Duration.ofMillis(100));

    private Duration slices = SHORT.longestSlice();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static final Set<Metric> SERVERS_COUNTS =
            Set.of(Metric.COMMANDS_PER_ACQUISITION, Metric.BYTES_PER_ACQUISITION, Metric.SERVER_CPU_PER_ACQUISITION);

    @TempDir
    private Path folder;

    @Test
    void every_lock_of_a_quick_run_is_measured_at_each_of_its_experiments_on_real_servers() throws IOException {
        JsonNode root = compare("--quick");

        List<String> subjects =
                labels(Stream.concat(Subject.usual(ComparisonTier.QUICK), Subject.pictured(ComparisonTier.QUICK)));
        for (Experiment experiment : Experiments.ALL) {
            if (experiment.belongsTo(ComparisonTier.QUICK)) {
                for (Metric metric : experiment.metrics()) {
                    int workloads = experiment.workloads(ComparisonTier.QUICK).size();
                    long usual = Subject.usual(ComparisonTier.QUICK)
                            .filter(each -> each.role() != Role.BASELINE || !experiment.oneName())
                            .count();
                    long more = experiment == Experiments.UNCONTENDED
                            ? Subject.pictured(ComparisonTier.QUICK).count()
                            : 0;
                    long found = StreamSupport.stream(root.path("measurements").spliterator(), false)
                            .filter(each -> each.path("experiment").asText().equals(experiment.name())
                                    && each.path("metric").asText().equals(metric.label()))
                            .count();
                    // A short slice has too few observations for a percentile. PostgreSQL counts neither commands nor
                    // bytes.
                    boolean percentile = metric.label().matches(".*_p\\d+");
                    boolean counted = SERVERS_COUNTS.contains(metric);
                    assertThat(found)
                            .as(experiment + " " + metric)
                            .isBetween(
                                    percentile ? 0 : workloads * (usual + (counted ? 0 : more)),
                                    workloads * (usual + more));
                }
            }
        }
        assertSafe(root, subjects);
        assertThat(root.path("machine").path("versions").path("redis").asText()).startsWith("7.");
        assertThat(out.toString())
                .contains(subjects)
                .contains("IN FIVE LINES", "uncontended", "distinct", "contended", "--verbose");
    }

    /** Those that a quick run leaves out are measured by {@link UserServersTest}, all but these. */
    @Test
    void locks_on_five_servers_work_too() throws IOException {
        List<String> onFive = labels(Stream.of(Subject.values()).filter(each -> each.service() == Service.REDLOCK));

        JsonNode root = compare("--quick", "--only", "contended", "--subjects", String.join(",", onFive));

        assertSafe(root, onFive);
    }

    @Test
    void a_lock_passes_between_four_processes_and_what_they_did_is_brought_back_whole() throws IOException {
        List<String> subjects = List.of("hasp-redis-jedis", "hasp-zookeeper");

        JsonNode root = compare("--only", "handoff", "--subjects", String.join(",", subjects));

        assertSafe(root, subjects);
        for (String subject : subjects) {
            assertThat(figure(root, subject, "acquisitions_per_s")).isPositive();
            assertThat(figure(root, subject, "jain")).as("of four threads").isBetween(0.25, 1.0);
            assertThat(figure(root, subject, "handoff_p50")).as("microseconds").isPositive();
            assertThat(figure(root, subject, "wait_max")).isGreaterThan(figure(root, subject, "handoff_p50") / 1000);
            assertThat(List.of(
                            "bytes_per_acquisition",
                            "client_cpu_per_acquisition",
                            "server_cpu_per_acquisition",
                            "allocated_per_acquisition"))
                    .allSatisfy(cost -> assertThat(figure(root, subject, cost)).isPositive());
            assertThat(figure(root, subject, "commands_per_acquisition"))
                    .as("a request to take it and one to give it back, at least")
                    .isGreaterThanOrEqualTo(2);
        }
        assertThat(root.path("measurements")).allSatisfy(each -> {
            assertThat(each.path("processes").asInt()).isEqualTo(4);
            assertThat(each.path("threads").asInt()).isEqualTo(1);
        });
    }

    @Test
    @InTier(Tier.FULL)
    void a_lock_that_is_kept_is_faster_where_one_process_takes_it_again() throws IOException {
        // A busy machine takes longer than a short slice to subscribe anew, and until then nothing is kept.
        slices = Duration.ofMillis(500);

        JsonNode root = compare("--only", "sticky", "--subjects", "hasp-redis-jedis,hasp-redis-kept");

        assertThat(figure(root, "hasp-redis-kept", "cycle_p50"))
                .as("of names that no other process wants")
                .isLessThan(figure(root, "hasp-redis-jedis", "cycle_p50") / 5);
    }

    @Test
    @InTier(Tier.FULL)
    void a_lock_that_is_kept_is_safe_where_two_processes_take_it() throws IOException {
        List<String> subjects = List.of("hasp-redis-jedis", "hasp-redis-kept", "redisson-rlock");

        JsonNode root =
                compare("--only", "ping-pong,alternating,foreign-10,recall", "--subjects", String.join(",", subjects));

        assertSafe(root, subjects);
        assertThat(texts(root.path("measurements"), "experiment"))
                .contains("ping-pong", "alternating", "foreign-10", "recall");
        assertThat(root.path("ratios")).anySatisfy(ratio -> {
            assertThat(ratio.path("subject").asText()).isEqualTo("hasp-redis-kept");
            assertThat(ratio.path("reference").asText()).isEqualTo("hasp-redis-jedis");
        });
        assertThat(out.toString()).contains("hasp-redis-kept against");
    }

    @Test
    void what_a_round_trip_takes_is_in_every_figure_and_servers_move_while_clients_stay_connected() throws IOException {
        // ZooKeeper writes to the disk twice a cycle: a short slice could fall into one stall of a busy disk.
        slices = Duration.ofMillis(300);
        List<String> subjects = List.of("baseline-redis", "hasp-redlock", "baseline-zookeeper");

        JsonNode root = compare("--only", "uncontended", "--rtt", "40,0", "--subjects", String.join(",", subjects));

        for (String subject : subjects) {
            List<JsonNode> both = StreamSupport.stream(root.path("measurements").spliterator(), false)
                    .filter(each -> each.path("subject").asText().equals(subject)
                            && each.path("metric").asText().equals("cycle_mean"))
                    .toList();
            assertThat(both).extracting(each -> each.path("at").asDouble()).containsExactly(40.0, 0.0);
            assertThat(both.get(0).path("median").asDouble())
                    .as(subject + ": two round trips, µs")
                    .isBetween(80_000.0, 800_000.0);
            assertThat(both.get(1).path("median").asDouble())
                    .as(subject + ": at once")
                    .isLessThan(both.get(0).path("median").asDouble() - 40_000.0);
        }
        assertThat(root.path("workloads").path(0).path("axis").asText()).isEqualTo("round trip");
        assertThat(out.toString()).contains("Redis (1 server), by a proxy", "1 thread, +40 ms");
    }

    @Test
    void the_points_of_a_curve_are_measured_and_the_page_shows_them_as_one() throws IOException {
        JsonNode root = compare("--only", "names", "--subjects", "baseline-redis");

        assertThat(StreamSupport.stream(root.path("measurements").spliterator(), false)
                        .filter(each -> each.path("metric").asText().equals("cycle_mean")))
                .extracting(each -> each.path("at").asDouble())
                .containsExactly(1.0, 10.0, 100.0, 1_000.0, 10_000.0, 100_000.0);
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("id=\"curves\"", "Names by names taken again and again", "\"curve\":true");
    }

    @Test
    void what_held_locks_cost_is_measured_in_a_process_of_its_own() throws IOException {
        List<String> subjects = List.of("hasp-redis-jedis", "redisson-rlock", "hasp-zookeeper", "curator-mutex");

        JsonNode root = compare("--only", "held", "--locks", "300", "--subjects", String.join(",", subjects));

        assertSafe(root, subjects);
        assertThat(root.path("measurements"))
                .allSatisfy(each -> assertThat(each.path("at").asInt()).isEqualTo(300));
        for (String subject : subjects) {
            assertThat(List.of("client_cpu", "server_cpu", "server_commands_per_s"))
                    .allSatisfy(metric -> assertThat(figure(root, subject, metric))
                            .as(subject)
                            .isNotNegative());
        }
        assertThat(texts(root.path("measurements"), "metric")).contains("server_disk_bytes_per_s");
        assertThat(out.toString()).contains("HELD", "300 locks", "commands/s", "disk, B/s");
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("1 process holds 300 locks", "ytes that the servers wrote to disk", "<td>300</td>");
    }

    @Test
    void names_that_were_never_used_are_measured_with_one_thread_and_with_many() throws IOException {
        List<String> subjects = List.of("hasp-redis-jedis", "baseline-redis", "curator-mutex");

        JsonNode root = compare("--only", "fresh", "--subjects", String.join(",", subjects));

        assertSafe(root, subjects);
        assertThat(StreamSupport.stream(root.path("measurements").spliterator(), false)
                        .filter(each -> each.path("metric").asText().equals("cycle_mean")))
                .extracting(each -> each.path("threads").asInt())
                .containsOnly(1, 16)
                .hasSize(2 * subjects.size());
        assertThat(out.toString()).contains("FRESH", "1 thread", "16 threads");
    }

    @Test
    void locks_that_do_none_of_the_work_are_wrong_input_and_left_out_beside_others() throws IOException {
        assertThat(hasp("compare", "--quick", "--only", "contended", "--subjects", "shedlock-redis"))
                .isEqualTo(Hasp.WRONG_INPUT);
        assertThat(err.toString())
                .contains("hasp: nothing to measure: shedlock-redis does none of the experiments contended");
        assertThat(out.toString()).isEmpty();
        assertThat(childProcesses()).isEmpty();

        compare("--quick", "--only", "permits", "--subjects", "redisson-rlock,redisson-fencedlock,baseline-redis");
        assertThat(err.toString())
                .contains("Left out: redisson-fencedlock and baseline-redis: they do none of the experiments permits");
    }

    /** As on a full disk. */
    @Test
    void a_report_that_standard_output_does_not_take_is_no_success() {
        Writer full = new Writer() {
            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };

        int exit = hasp(new PrintWriter(full, true), "compare", "--only", "footprint", "--subjects", "baseline-redis");

        assertThat(exit).isEqualTo(Hasp.FAILED);
        assertThat(err.toString()).contains("hasp: the report can't be written to standard output");
    }

    @Test
    void only_what_was_asked_for_is_measured() throws IOException {
        JsonNode root = compare("--only", "uncontended", "--subjects", "baseline-redis,redisson-rlock");

        assertThat(texts(root.path("measurements"), "experiment")).containsOnly("uncontended");
        assertThat(texts(root.path("measurements"), "subject")).containsOnly("redisson-rlock", "baseline-redis");
        assertThat(out.toString()).doesNotContain("ZooKeeper", "DISTINCT");
    }

    private JsonNode compare(String... arguments) throws IOException {
        int exit = hasp(Stream.concat(
                        Stream.concat(Stream.of("compare"), Stream.of(arguments)),
                        Stream.of("--out", folder.toString()))
                .toArray(String[]::new));

        assertThat(exit).as(err.toString() + out).isZero();
        assertThat(childProcesses()).as("what is left").isEmpty();
        return new ObjectMapper().readTree(folder.resolve("results.json").toFile());
    }

    private static void assertSafe(JsonNode root, List<String> subjects) {
        assertThat(root.path("failures")).isEmpty();
        assertThat(texts(root.path("safety"), "subject")).containsExactlyInAnyOrderElementsOf(subjects);
        assertThat(root.path("safety")).allSatisfy(seen -> {
            assertThat(seen.path("holds").asLong()).isPositive();
            assertThat(seen.path("overlaps").asLong()).isZero();
            assertThat(seen.path("stale_tokens").asLong()).isZero();
        });
    }

    private static double figure(JsonNode root, String subject, String metric) {
        return StreamSupport.stream(root.path("measurements").spliterator(), false)
                .filter(each -> each.path("subject").asText().equals(subject)
                        && each.path("metric").asText().equals(metric))
                .findFirst()
                .orElseThrow(() -> new AssertionError(metric + " of " + subject + " is missing"))
                .path("median")
                .asDouble();
    }

    private int hasp(String... arguments) {
        return hasp(new PrintWriter(out, true), arguments);
    }

    private int hasp(PrintWriter writer, String... arguments) {
        CommandLine line = Hasp.commandLine(new CompareCommand(tier -> new Schedule(
                1,
                SHORT.budget().multipliedBy(slices.dividedBy(SHORT.longestSlice())),
                SHORT.limit(),
                SHORT.watch(),
                slices)));
        line.setOut(writer);
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    private static List<String> labels(Stream<Subject> subjects) {
        return subjects.map(Subject::label).toList();
    }

    private static List<String> texts(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(each -> each.path(field).asText())
                .toList();
    }

    private static List<String> childProcesses() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> !command.contains("hasp-process-guard"))
                .toList();
    }
}
