package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What people want a lock for.
 *
 * @param title in few words
 * @param requirements what it takes
 * @param criteria the figures that then decide, the first that was measured
 * @param beside figures that are shown and decide nothing
 * @param caveat what to know before taking any lock for it; empty if nothing
 */
record Need(
        String title, List<Requirement> requirements, List<Criterion> criteria, List<Criterion> beside, String caveat) {
    private static final Criterion UNCONTENDED = new Criterion(Experiments.UNCONTENDED, Metric.CYCLE_P50);
    private static final Criterion DISTINCT = new Criterion(Experiments.DISTINCT, Metric.CYCLES_PER_S);
    private static final Criterion CONTENDED = new Criterion(Experiments.CONTENDED, Metric.ACQUISITIONS_PER_S);
    private static final Criterion HANDOFF = new Criterion(Experiments.HANDOFF, Metric.HANDOFF_P50);
    private static final Criterion PERMITS = new Criterion(Experiments.PERMITS, Metric.ACQUISITIONS_PER_S);

    /** All, in the order in which they are shown. A terminal ends with a line for each: keep titles short. */
    static final List<Need> ALL = List.of(
            new Need(
                    "One Redis, and the work may run twice now and then",
                    safe(Requirement.onOneRedis()),
                    List.of(UNCONTENDED, DISTINCT),
                    List.of(),
                    ""),
            new Need(
                    "A late write must not count, and the store checks a token",
                    safe(Requirement.keeps("fe1_"), Requirement.keeps("fe2_")),
                    List.of(UNCONTENDED, DISTINCT),
                    List.of(),
                    ""),
            new Need(
                    "Strict order between all threads",
                    safe(Requirement.keeps("li6_"), Requirement.servesThreadsInOrder()),
                    List.of(HANDOFF, CONTENDED),
                    List.of(),
                    "The suite tests the order of clients (LI6). That of the threads of one client is tested for Hasp's"
                            + " ordering=fifo alone, in its engine. "),
            new Need(
                    "A lost server must forget nothing; no token is checked",
                    safe(Requirement.forgetsNothing(), Requirement.safeThroughFailover()),
                    List.of(UNCONTENDED, DISTINCT),
                    List.of(),
                    "Without a token check no lease is fully safe after a pause. "),
            new Need(
                    "Many threads of a process want one name",
                    safe(Requirement.starvesNone()),
                    List.of(CONTENDED),
                    List.of(PERMITS),
                    ""));

    /** What any lock has to do, and more. */
    private static List<Requirement> safe(Requirement... more) {
        return Stream.of(
                        Stream.of(more),
                        Stream.of(
                                Requirement.safeInThisRun(),
                                Requirement.keeps("me1_"),
                                Requirement.keeps("me2_"),
                                Requirement.keeps("ow1_"),
                                Requirement.freeAfterACrash()))
                .flatMap(each -> each)
                .toList();
    }

    /** What a lock has to meet, in words. */
    String asked() {
        return "a lock that "
                + DisplayNames.list(
                        requirements.stream().map(Requirement::words).toList());
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
