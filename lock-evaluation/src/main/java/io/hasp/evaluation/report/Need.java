package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What people want a lock for: what it takes, and the figures that then decide, the first that was measured. */
record Need(String title, List<Requirement> requirements, List<Criterion> criteria, String caveat) {
    private static final Criterion UNCONTENDED = new Criterion(Experiments.UNCONTENDED, Metric.CYCLE_P50);
    private static final Criterion DISTINCT = new Criterion(Experiments.DISTINCT, Metric.CYCLES_PER_S);
    private static final Criterion CONTENDED = new Criterion(Experiments.CONTENDED, Metric.ACQUISITIONS_PER_S);
    private static final Criterion HANDOFF = new Criterion(Experiments.HANDOFF, Metric.ACQUISITIONS_PER_S);

    /** All, in the order in which they are shown. */
    static final List<Need> ALL = List.of(
            new Need(
                    "The fastest lock, and what it protects checks fencing tokens",
                    safe(Requirement.keeps("fe1_"), Requirement.keeps("fe2_")),
                    List.of(UNCONTENDED, DISTINCT),
                    ""),
            new Need(
                    "Safety first: a lock that survives the loss of a server, with a token against late writers",
                    safeWithoutAServer(Requirement.keeps("fe1_")),
                    List.of(UNCONTENDED, DISTINCT),
                    ""),
            new Need(
                    "The fastest lock for work that may be done twice now and then",
                    safe(),
                    List.of(UNCONTENDED, DISTINCT),
                    ""),
            new Need(
                    "First come, first served between processes",
                    safe(Requirement.keeps("li6_")),
                    List.of(HANDOFF, CONTENDED),
                    "For strict order between threads, too, Hasp takes ordering=fifo. "),
            new Need(
                    "Many threads that want the same name",
                    safe(Requirement.keeps("li6_none")),
                    List.of(CONTENDED),
                    "Hasp hands a lock off within a process, up to 255 times or for 20 ms, before it asks the server again. "));

    private static List<Requirement> safe(Requirement... more) {
        return Stream.concat(Stream.of(Requirement.safeInThisRun()), always(more))
                .toList();
    }

    private static List<Requirement> safeWithoutAServer(Requirement... more) {
        Stream<Requirement> first = Stream.of(
                Requirement.survivesAServer(), Requirement.safeInThisRun(), Requirement.safeThroughFailover());
        return Stream.concat(first, always(more)).toList();
    }

    /** What any lock has to do, and more. It is free again after its holder died: by the end of the process or of the lease. */
    private static Stream<Requirement> always(Requirement... more) {
        return Stream.of(
                        Stream.of(Requirement.keeps("me1_"), Requirement.keeps("me2_"), Requirement.keeps("ow1_")),
                        Stream.of(more),
                        Stream.of(Requirement.keepsOneOf("li1_", "le1_")))
                .flatMap(each -> each);
    }

    /** Why a lock is not fit for it. */
    Optional<String> objection(ResultsDocument run, Guarantees guarantees, String lock) {
        return requirements.stream()
                .flatMap(each -> each.objection(run, guarantees, lock).stream())
                .findFirst();
    }

    /** What no lock of another library meets that was measured, though locks of others were; a need must not hide that. */
    List<String> beyondPeers(ResultsDocument run, Guarantees guarantees) {
        List<String> peers = run.subjects().stream()
                .filter(each -> each.is(ResultsDocument.PEER))
                .map(ResultsDocument.ReportedSubject::subject)
                .toList();
        return requirements.stream()
                .filter(each -> !peers.isEmpty()
                        && peers.stream()
                                .allMatch(peer ->
                                        each.objection(run, guarantees, peer).isPresent()))
                .map(Requirement::words)
                .toList();
    }

    /** A figure that ranks locks. */
    record Criterion(Experiment experiment, Metric metric) {
        /** Real work seldom has holds of no length: a workload with a hold time decides, if there is one. */
        Optional<ReportedWorkload> of(ResultsDocument document) {
            List<ReportedWorkload> measured = document.workloads().stream()
                    .filter(work -> work.experiment().equals(experiment.name()))
                    .filter(work -> document.measurements().stream()
                            .anyMatch(each -> each.metric().equals(metric.label())
                                    && work.matches(
                                            each.experiment(),
                                            each.processes(),
                                            each.threads(),
                                            each.holdMs(),
                                            each.at())))
                    .toList();
            return measured.stream()
                    .filter(work -> work.holdMs() > 0)
                    .findFirst()
                    .or(() -> measured.stream().findFirst());
        }

        ReportedMetric figure(ReportedWorkload work) {
            return work.metrics().stream()
                    .filter(each -> each.metric().equals(metric.label()))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
