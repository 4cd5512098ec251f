package io.hasp.evaluation.report;

import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.List;
import java.util.Optional;

/** What people want a lock for: the rules it must keep, and the figures that then decide, the first that was measured. */
enum Need {
    SPEED(
            "The fastest lock, and what it protects checks fencing tokens",
            false,
            List.of("fe1_", "fe2_"),
            List.of(new Criterion("uncontended", "cycle_p50"), new Criterion("distinct", "cycles_per_s")),
            ""),
    SURVIVAL(
            "Safety first: a lock that survives the loss of a server, with a token against late writers",
            true,
            List.of("fe1_"),
            List.of(new Criterion("uncontended", "cycle_p50"), new Criterion("distinct", "cycles_per_s")),
            ""),
    CROWD(
            "Many threads that want the same name",
            false,
            List.of("li6_none"),
            List.of(new Criterion("contended", "acquisitions_per_s")),
            "Hasp passes a lock on inside a process, 255 times or for 20 ms, before it asks the server again. "),
    ORDER(
            "First come, first served between processes",
            false,
            List.of("li6_"),
            List.of(new Criterion("handoff", "acquisitions_per_s"), new Criterion("contended", "acquisitions_per_s")),
            "For strict order between threads, too, Hasp takes ordering=fifo. ");

    final String words;
    final boolean survival;
    final String caveat;

    @SuppressWarnings("ImmutableEnumChecker") // immutable lists
    final List<String> rules;

    @SuppressWarnings("ImmutableEnumChecker") // immutable lists
    final List<Criterion> criteria;

    Need(String words, boolean survival, List<String> rules, List<Criterion> criteria, String caveat) {
        this.words = words;
        this.survival = survival;
        this.rules = rules;
        this.criteria = criteria;
        this.caveat = caveat;
    }

    /** A figure by which locks are put in order. */
    record Criterion(String experiment, String metric) {
        /** Holds of no length are the exception in real work, so a workload whose holds last decides if there is one. */
        Optional<ReportedWorkload> of(ResultsDocument document) {
            List<ReportedWorkload> measured = document.workloads().stream()
                    .filter(work -> work.experiment().equals(experiment))
                    .filter(work -> document.measurements().stream()
                            .anyMatch(each -> each.metric().equals(metric)
                                    && work.matches(
                                            each.experiment(), each.processes(), each.threads(), each.holdMs())))
                    .toList();
            return measured.stream()
                    .filter(work -> work.holdMs() > 0)
                    .findFirst()
                    .or(() -> measured.stream().findFirst());
        }

        ReportedMetric figure(ReportedWorkload work) {
            return work.metrics().stream()
                    .filter(each -> each.metric().equals(metric))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** By its kind: a quorum of servers keeps it, or one server alone. */
    static boolean survivesAServer(String lock) {
        return lock.contains("zookeeper") || lock.contains("curator") || lock.contains("redlock");
    }
}
