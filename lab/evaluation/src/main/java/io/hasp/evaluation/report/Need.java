package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A purpose of a lock.
 *
 * @param title in few words
 * @param requirements the conditions that a lock has to meet
 * @param criteria the figures that then decide, the first that a lock has which meets the conditions
 */
record Need(String title, List<Requirement> requirements, List<Criterion> criteria) {
    private static final Criterion UNCONTENDED = new Criterion(Experiments.UNCONTENDED, Metric.CYCLE_P50);
    private static final Criterion DISTINCT = new Criterion(Experiments.DISTINCT, Metric.CYCLES_PER_S);
    private static final Criterion CONTENDED = new Criterion(Experiments.CONTENDED, Metric.ACQUISITIONS_PER_S);
    private static final Criterion HANDOFF = new Criterion(Experiments.HANDOFF, Metric.HANDOFF_P50);

    /** All, in the order in which they are shown. A terminal ends with a line for each: keep titles short. */
    static final List<Need> ALL = List.of(
            new Need(
                    "One Redis, and the work may run twice now and then",
                    safe(Requirement.onOneRedis()),
                    List.of(UNCONTENDED, DISTINCT)),
            new Need(
                    "Only a database, and it must commit no late write",
                    safe(Requirement.on(Topology.POSTGRES), Requirement.keeps("fe1_", "fe2_")),
                    List.of(UNCONTENDED, DISTINCT)),
            new Need(
                    "A late write must not count, and the store checks a token",
                    safe(Requirement.keeps("fe1_", "fe2_")),
                    List.of(UNCONTENDED, DISTINCT)),
            new Need(
                    "Strict order between all threads",
                    safe(Requirement.keeps("li6_"), Requirement.servesThreadsInOrder()),
                    List.of(HANDOFF, CONTENDED)),
            new Need(
                    "A lost server must forget nothing; no token is checked",
                    safe(Requirement.forgetsNothing(), Requirement.safeThroughFailover()),
                    List.of(UNCONTENDED, DISTINCT)));

    /** Needs on servers that are there already, in the order of the page's table. */
    static final List<Need> ON_GIVEN_SERVERS = List.of(
            new Need("The work may run twice now and then", safe(), List.of(UNCONTENDED, DISTINCT)),
            ALL.get(2),
            ALL.get(3),
            ALL.get(4),
            new Need(
                    "Many threads of a process want one name",
                    safe(Requirement.keeps("li6_none")),
                    List.of(CONTENDED)));

    /** The same need of a user who runs servers of one kind already. */
    Need on(String servers) {
        return new Need(
                title,
                Stream.concat(Stream.of(Requirement.on(servers)), requirements.stream())
                        .toList(),
                criteria);
    }

    /** The conditions of every need, and more. */
    private static List<Requirement> safe(Requirement... more) {
        return Stream.concat(
                        Stream.of(more),
                        Stream.of(
                                Requirement.safeInThisRun(),
                                Requirement.keeps("me1_", "me2_", "ow1_"),
                                Requirement.freeAfterACrash()))
                .toList();
    }

    boolean isMetBy(ResultsDocument run, Guarantees guarantees, String lock) {
        return requirements.stream().allMatch(each -> each.isMetBy(run, guarantees, lock));
    }

    /** A figure that ranks locks. */
    record Criterion(Experiment experiment, Metric metric) {
        /**
         * The work that decides between some locks, of which it has a figure. Real work seldom has holds of no length: a workload with a
         * hold time decides, if there is one.
         */
        Optional<ReportedWorkload> of(ResultsDocument document, List<ReportedSubject> locks) {
            List<ReportedWorkload> measured = document.workloads().stream()
                    .filter(work -> work.experiment().equals(experiment.name()))
                    .filter(work -> work.metrics().stream().anyMatch(this::isMine)
                            && !ranked(document, work, locks).isEmpty())
                    .toList();
            return measured.stream()
                    .filter(work -> work.holdMs() > 0)
                    .findFirst()
                    .or(() -> measured.stream().findFirst());
        }

        /** The figures of the locks that did the work to its end, the best first. */
        List<Measurement> ranked(ResultsDocument document, ReportedWorkload work, List<ReportedSubject> locks) {
            return document.ranked(work, figure(work), locks).stream()
                    .filter(each -> document.failure(work, each.subject()).isEmpty())
                    .toList();
        }

        ReportedMetric figure(ReportedWorkload work) {
            return work.metrics().stream().filter(this::isMine).findFirst().orElseThrow();
        }

        private boolean isMine(ReportedMetric figure) {
            return figure.metric().equals(metric.label());
        }
    }
}
