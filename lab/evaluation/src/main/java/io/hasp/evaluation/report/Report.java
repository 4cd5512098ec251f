package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The terminal's report at the end: tables, their legend, and the observations of safety. */
public final class Report {
    private static final String INDENT = " ".repeat("IN SHORT  ".length());

    private final Machine machine;
    private final Results results;
    private final List<ServiceGroup> groups;

    /**
     * A report.
     *
     * @param machine what was measured on
     * @param results what was found
     * @param groups which subjects belong together
     */
    public Report(Machine machine, Results results, List<ServiceGroup> groups) {
        this.machine = machine;
        this.results = results;
        this.groups = List.copyOf(groups);
    }

    /**
     * Prints it.
     *
     * @param out where
     */
    public void print(PrintWriter out) {
        out.println();
        if (results.interrupted()) {
            out.println("INTERRUPTED: what follows is what was measured until then.");
        }
        out.println(machine);
        results.workloads().forEach(workload -> printTables(workload, out));
        if (groups.stream().anyMatch(group -> !group.hasp().isEmpty())) {
            printSummary(out);
        }
        out.println();
        out.println(legend());
        results.subjects().stream()
                .filter(DisplayNames::isDeprecated)
                .forEach(each -> out.println(each + " is " + DisplayNames.subject(each) + "."));
        out.println();
        ResultsDocument document = document();
        printWarnings(document, out);
        out.println();
        new Answer(document).forTheTerminal().forEach(out::println);
        out.flush();
    }

    /**
     * Prints the answer first, and the ratios of all locks in one table.
     *
     * @param out where
     */
    public void printShort(PrintWriter out) {
        out.println();
        if (results.interrupted()) {
            out.println("INTERRUPTED: what follows is what was measured until then.");
        }
        ResultsDocument document = document();
        new Answer(document).forTheTerminal().forEach(out::println);
        RatioTable table = new RatioTable(results, groups);
        if (!table.isEmpty()) {
            out.println();
            out.println("IN SHORT  how many times better Hasp's locks did: above 1 is better;");
            out.println(INDENT + "of " + figures() + ";");
            Difference.brackets(results).forEach(line -> out.println(INDENT + line));
            out.println();
            out.println(table);
        }
        out.println();
        printWarnings(document, out);
        out.println(machine);
        out.println("All tables: --verbose. A page with pictures: --out DIR.");
        out.flush();
    }

    /** The figure of each experiment that is divided, with its unit. */
    private String figures() {
        return results.workloads().stream()
                .map(Workload::experiment)
                .distinct()
                .map(each -> each.metrics().get(0).heading() + " (" + each.name() + ")")
                .collect(Collectors.joining(", "));
    }

    private void printWarnings(ResultsDocument document, PrintWriter out) {
        String alarm = document.suite().alarm();
        if (!alarm.isEmpty()) {
            out.println(alarm);
        }
        results.failures().forEach(failure -> out.println(failed(failure)));
        out.println(safety());
    }

    private void printTables(Workload workload, PrintWriter out) {
        out.println();
        out.println(title(workload));
        groups.forEach(group -> {
            out.println();
            out.println(new ResultsTable(results, group, workload));
        });
    }

    private void printSummary(PrintWriter out) {
        out.println();
        out.println("IN SHORT  how many times better Hasp's locks did");
        groups.forEach(group -> group.hasp().forEach(subject -> {
            out.println();
            out.println(new Summary(results, group, subject));
            out.println(subject + " is " + DisplayNames.subject(subject) + ".");
        }));
    }

    private ResultsDocument document() {
        Run run = Run.of(List.of(), Duration.ZERO, results.interrupted());
        return ResultsDocument.of(run, machine, results, groups, Guarantees.shipped());
    }

    private static String title(Workload workload) {
        return workload.experiment().name().toUpperCase(Locale.ROOT) + "  " + workload.sentence();
    }

    private String legend() {
        int slices =
                results.measurements().stream().mapToInt(Measurement::n).max().orElse(0);
        return """
                Each figure is the median of up to %d slice(s), with the lowest and the highest in brackets.
                "against X": how many times better than X in the first figure of that table, divided round by round;
                above 1 is better; %s.
                A baseline is the least work that can be called a lock: one round trip to acquire it, one to release it,
                without queue (it retries every millisecond), renewal or fencing token. p50, p99, max: the median, the
                99th percentile and the longest wait for the lock. jain: 1 if all threads got the lock equally often.
                commands each: requests that the servers counted for each acquisition, with those inside scripts.""".formatted(slices, String.join(System.lineSeparator(), Difference.brackets(results)));
    }

    private static String failed(Failure failure) {
        return "FAILED  " + DisplayNames.in(failure.experiment(), failure.subject()) + " at " + failure.experiment()
                + ", " + failure.processes() + "×" + failure.threads() + " threads, hold " + failure.holdMs() + " ms: "
                + failure.why();
    }

    private String safety() {
        long holds = results.safety().values().stream().mapToLong(Safety::holds).sum();
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Safety> each : results.safety().entrySet()) {
            Safety seen = each.getValue();
            if (seen.violations() > 0) {
                text.append(
                        "SAFETY VIOLATED by %s: %d overlapping holds, %d stale fencing tokens, %d lost holds in %,d%n"
                                .formatted(
                                        each.getKey(),
                                        seen.overlaps(),
                                        seen.staleTokens(),
                                        seen.lostHolds(),
                                        seen.holds()));
            }
        }
        if (!text.isEmpty()) {
            return text.toString().strip();
        }
        boolean broken =
                results.workloads().stream().anyMatch(workload -> workload.experiment() == Experiments.FAILOVER);
        return "Safety: %,d holds watched%s; none overlapped, none was lost, no fencing token went back."
                .formatted(holds, broken ? " while no server failed" : "");
    }
}
