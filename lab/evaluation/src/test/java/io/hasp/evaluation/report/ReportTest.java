package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.statistics.Pairing;
import io.hasp.evaluation.subject.Subject;
import io.hasp.evaluation.subject.Subject.Role;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    private static final ServiceGroup GROUP =
            new ServiceGroup("Somewhere", List.of("mine"), List.of("theirs"), List.of());

    @Test
    void the_table_shows_figures_ratios_and_their_spread() {
        String text = report(Map.of("mine", new Safety(5000, 0, 0, 0)), List.of());

        assertThat(text.lines().filter(line -> line.startsWith(" mine  ")))
                .first()
                .asString()
                .contains("100 (90.0–120)", "250");
        assertThat(text.lines().filter(line -> line.startsWith(" uncontended, 1 thread ")))
                .singleElement()
                .asString()
                .contains("×3.00 (2.50–3.50)");
        assertThat(text)
                .contains("5,000 holds watched", "median of up to 4 slice(s)", "Somewhere", "mine against", "theirs")
                .contains(Difference.INTERVAL);
    }

    @Test
    void the_terminal_ends_with_which_lock_for_which_need_in_five_lines() {
        List<String> lines = report(Map.of(), List.of()).stripTrailing().lines().toList();

        List<String> last = lines.subList(lines.size() - 7, lines.size());
        assertThat(last.get(0)).startsWith("IN FIVE LINES");
        assertThat(last.subList(1, 6))
                .zipSatisfy(Need.ALL, (line, need) -> assertThat(line).startsWith("  " + need.title() + " → "));
        assertThat(Need.ALL).hasSize(5);
        assertThat(lines.get(lines.size() - 8)).isEmpty();
    }

    @Test
    void the_short_report_begins_with_the_answer_and_has_one_table() {
        List<String> lines = text(
                        Map.of("mine", new Safety(5000, 0, 0, 0)),
                        List.of(new Failure("uncontended", "theirs", 1, 1, 1, 0, "the server went away")),
                        Report::printShort)
                .strip()
                .lines()
                .toList();

        assertThat(lines.get(0)).startsWith("IN FIVE LINES");
        assertThat(lines.subList(1, 6))
                .zipSatisfy(Need.ALL, (line, need) -> assertThat(line).startsWith("  " + need.title() + " → "));
        assertThat(lines)
                .filteredOn(line -> line.startsWith(" mine : "))
                .singleElement()
                .asString()
                .contains("mine : theirs, uncontended, 1 thread", "×3.00 (2.50–3.50)");
        assertThat(lines).anyMatch(line -> line.startsWith("FAILED  theirs at uncontended"));
        assertThat(lines).anyMatch(line -> line.contains("5,000 holds watched"));
        assertThat(lines).anyMatch(line -> line.contains(Difference.INTERVAL));
        assertThat(lines.get(lines.size() - 1)).contains("--verbose", "--out");
        assertThat(lines).hasSizeLessThan(24);
    }

    @Test
    void the_short_report_names_the_figure_of_each_ratio_and_that_one_start_of_the_clients_is_few() {
        assertThat(text(Map.of(), List.of(), Report::printShort))
                .contains("cycle p50, µs (uncontended)", "above 1 is better", "the clients were started once");
        assertThat(shortReport(List.of(0, 0, 1, 1), 4)).doesNotContain("started once");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void brackets_of_fewer_than_four_rounds_are_not_called_an_interval(int rounds) {
        assertThat(shortReport(List.of(), rounds))
                .doesNotContain("95 %", "no difference was shown")
                .contains("in brackets the lowest and the highest round");
        assertThat(text(few(List.of(), rounds), Report::print)).doesNotContain("95 %");
    }

    @Test
    void only_the_ratios_that_are_shown_say_what_brackets_are() {
        Results few = few(List.of(0, 1), 4);
        List<Ratio> more = Stream.concat(
                        few.ratios().stream(),
                        Stream.of(new Ratio("uncontended", "mine", "theirs", 1, 1, 0, "cycle_p99", 3, 2.5, 3.5, 1)))
                .toList();
        Results whole = new Results(
                few.workloads(), few.subjects(), few.measurements(), more, few.safety(), few.failures(), false);

        assertThat(text(whole, Report::printShort)).contains("95 %").doesNotContain("fewer than four");
    }

    @Test
    void a_need_without_a_lock_is_explained() {
        assertThat(report(Map.of(), List.of()))
                .contains(
                        "→ no advice",
                        "no advice: no lock of this run has the figure that decides and keeps every rule");
    }

    private static String shortReport(List<Integer> forks, int rounds) {
        return text(few(forks, rounds), Report::printShort);
    }

    private static Results few(List<Integer> forks, int rounds) {
        Results whole = SampleResults.results(Map.of(), List.of());
        return new Results(
                whole.workloads(),
                whole.subjects(),
                List.of(new Measurement(
                        "uncontended", "mine", 1, 1, 0, 0, "cycle_p50", "us", 100, 90, 120, rounds, List.of(), forks)),
                List.of(new Ratio("uncontended", "mine", "theirs", 1, 1, 0, "cycle_p50", 3, 2.5, 3.5, rounds)),
                whole.safety(),
                whole.failures(),
                false);
    }

    private static String text(Results results, BiConsumer<Report, PrintWriter> print) {
        StringWriter text = new StringWriter();
        print.accept(new Report(Machine.describe(Map.of()), results, List.of(GROUP)), new PrintWriter(text));
        return text.toString();
    }

    @Test
    void a_figure_that_is_missing_is_said_to_have_failed_and_why() {
        String text =
                report(Map.of(), List.of(new Failure("uncontended", "theirs", 1, 1, 1, 0, "the server went away")));

        assertThat(text.lines().filter(line -> line.startsWith(" theirs    ")))
                .first()
                .asString()
                .contains("failed");
        assertThat(text).contains("FAILED  theirs at uncontended", "the server went away");
    }

    @Test
    void a_figure_that_was_not_measured_has_not_failed() {
        String text = report(Map.of(), List.of());

        assertThat(text.lines().filter(line -> line.startsWith(" theirs    ")))
                .first()
                .asString()
                .contains("300 (280–330)", "–")
                .doesNotContain("failed");
    }

    @Test
    void no_line_is_wider_than_a_terminal_of_120_columns_with_all_locks_and_long_figures() {
        for (String experiment : List.of("handoff", "ping-pong")) {
            Workload workload =
                    Experiments.of(experiment).workloads(ComparisonTier.USUAL).get(0);
            for (Service service : Service.values()) {
                ServiceGroup group = new ServiceGroup(
                        service.words() + ", 0.3 ms away",
                        labels(service, Role.HASP),
                        labels(service, Role.PEER),
                        labels(service, Role.BASELINE),
                        variants(service));
                String text = longFigures(workload, group);

                assertThat(text.lines().filter(line -> line.contains("|")))
                        .hasSizeGreaterThan(group.subjects().size())
                        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
            }
        }
    }

    private static String longFigures(Workload workload, ServiceGroup group) {
        String experiment = workload.experiment().name();
        int processes = workload.processes();
        List<Measurement> measurements = group.subjects().stream()
                .flatMap(subject -> workload.experiment().metrics().stream()
                        .map(metric -> new Measurement(
                                experiment,
                                subject,
                                1,
                                processes,
                                0,
                                metric.label(),
                                metric.unit(),
                                9999,
                                9998,
                                9999,
                                6)))
                .toList();
        String first = workload.experiment().metrics().get(0).label();
        List<Ratio> ratios = group.pairings().stream()
                .map(pair -> new Ratio(
                        experiment, pair.subject(), pair.reference(), 1, processes, 0, first, 99.94, 99.94, 99.94, 6))
                .toList();
        Results results =
                new Results(List.of(workload), group.subjects(), measurements, ratios, Map.of(), List.of(), false);
        StringWriter text = new StringWriter();
        new Report(Machine.describe(Map.of()), results, List.of(group)).print(new PrintWriter(text));
        return text.toString();
    }

    private static List<Pairing> variants(Service service) {
        return Stream.of(Subject.values())
                .filter(each -> each.service() == service && each.keeps())
                .map(each ->
                        new Pairing(each.label(), each.plain().orElseThrow().label()))
                .toList();
    }

    @Test
    void a_lock_has_no_line_where_it_does_not_take_part() {
        Results measured = SampleResults.results(Map.of(), List.of());
        ServiceGroup more = new ServiceGroup(
                "Somewhere",
                List.of("mine", "mine-kept"),
                List.of("theirs"),
                List.of(),
                List.of(new Pairing("mine-kept", "mine")));
        StringWriter text = new StringWriter();

        new Report(Machine.describe(Map.of()), measured, List.of(more)).print(new PrintWriter(text));

        assertThat(text.toString())
                .doesNotContain(" mine-kept |")
                .containsPattern("mine-kept against +\\| mine \\| theirs");
    }

    private static List<String> labels(Service service, Role role) {
        return Stream.of(Subject.values())
                .filter(each -> each.service() == service && each.role() == role)
                .map(Subject::label)
                .toList();
    }

    @Test
    void a_safety_violation_is_told_loudly() {
        String text = report(Map.of("mine", new Safety(5000, 3, 2, 1)), List.of());

        assertThat(text)
                .contains("SAFETY VIOLATED by mine: 3 overlapping holds, 2 stale fencing tokens, 1 lost holds in 5,000")
                .doesNotContain("none overlapped");
    }

    private static String report(Map<String, Safety> safety, List<Failure> failures) {
        return text(safety, failures, Report::print);
    }

    private static String text(
            Map<String, Safety> safety, List<Failure> failures, BiConsumer<Report, PrintWriter> print) {
        return text(SampleResults.results(safety, failures), print);
    }
}
