package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/** The results of {@code ./hasp compare --quick --out} on two busy cores, with the guarantees of this build. */
final class RealRun {
    private RealRun() {}

    static ResultsDocument document() throws IOException {
        try (InputStream in = RealRun.class.getResourceAsStream("results.json")) {
            ResultsDocument read = ResultsFolder.json().readValue(Objects.requireNonNull(in), ResultsDocument.class);
            return withGuarantees(read, Guarantees.shipped());
        }
    }

    static ResultsDocument withGuarantees(ResultsDocument read, Guarantees from) {
        return new ResultsDocument(
                read.schema(),
                read.run(),
                read.machine(),
                read.subjects(),
                read.workloads(),
                read.measurements(),
                read.ratios(),
                read.safety(),
                read.failures(),
                ResultsDocument.SuiteRun.of(from, LockSources.UNKNOWN),
                from.outcomes().stream()
                        .filter(each -> read.subjects().stream()
                                .anyMatch(one -> one.subject().equals(each.subject())))
                        .toList());
    }

    /** With guarantees of another run of the suite. */
    static ResultsDocument of(ResultsDocument.SuiteRun suite) throws IOException {
        ResultsDocument whole = document();
        return new ResultsDocument(
                whole.schema(),
                whole.run(),
                whole.machine(),
                whole.subjects(),
                whole.workloads(),
                whole.measurements(),
                whole.ratios(),
                whole.safety(),
                whole.failures(),
                suite,
                whole.guarantees());
    }

    /** As if it had been interrupted, after Curator's mutex had failed once. */
    static ResultsDocument withGaps() throws IOException {
        ResultsDocument whole = document();
        ResultsDocument.ReportedWorkload first = whole.workloads().get(0);
        ResultsDocument.ReportedWorkload last =
                whole.workloads().get(whole.workloads().size() - 1);
        Failure failure = new Failure(
                first.experiment(),
                "curator-mutex",
                first.threads(),
                first.processes(),
                first.locks(),
                first.holdMs(),
                "KeeperErrorCode = ConnectionLoss <b>");
        Run run = new Run(
                whole.run().command(),
                whole.run().version(),
                whole.run().commit(),
                whole.run().seed(),
                whole.run().seconds(),
                true);
        return new ResultsDocument(
                whole.schema(),
                run,
                whole.machine(),
                whole.subjects(),
                whole.workloads(),
                whole.measurements().stream()
                        .filter(each -> !each.subject().equals("curator-mutex")
                                || !each.experiment().equals(first.experiment()))
                        .filter(each -> !each.subject().equals("baseline-redis")
                                || !last.matches(
                                        each.experiment(), each.processes(), each.threads(), each.holdMs(), each.at()))
                        .toList(),
                whole.ratios(),
                whole.safety(),
                List.of(failure),
                whole.suite(),
                whole.guarantees());
    }

    static String html(ResultsDocument document) throws IOException {
        return new Page(document, Guarantees.shipped().rules())
                .html(ResultsFolder.json().writeValueAsString(document), ResultsFolder.csv(document.measurements()));
    }
}
