package io.hasp.evaluation.report;

import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The variation of a run's baselines from round to round. A baseline does the same few requests each time, so the
 * machine causes it.
 */
final class MachineNoise {
    private final ResultsDocument document;

    MachineNoise(ResultsDocument document) {
        this.document = document;
    }

    /** One baseline at one workload: how far its rounds lay from their median, in percent. */
    record Noise(String baseline, String what, long below, long above) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s −%d %% to +%d %% (%s)", baseline, below, above, what);
        }
    }

    List<Noise> all() {
        return document.workloads().stream()
                .flatMap(work -> document.subjects().stream()
                        .filter(each -> each.is(ResultsDocument.BASELINE))
                        .flatMap(baseline -> noise(work, baseline).stream()))
                .toList();
    }

    private Optional<Noise> noise(ReportedWorkload work, ReportedSubject baseline) {
        ReportedMetric first = work.metrics().get(0);
        return document.measurement(work, first, baseline.subject())
                .filter(found -> found.n() > 1 && found.median() > 0)
                .map(found -> new Noise(
                        baseline.subject(),
                        work.experiment() + ", " + work.shape(),
                        Math.round(100 * (found.median() - found.low()) / found.median()),
                        Math.round(100 * (found.high() - found.median()) / found.median())));
    }

    /** In one sentence. */
    String inWords() {
        List<Noise> all = all();
        if (all.isEmpty()) {
            return "The noise of the machine is not known: no baseline was measured in more than one round.";
        }
        long below = all.stream().mapToLong(Noise::below).max().orElse(0);
        long above = all.stream().mapToLong(Noise::above).max().orElse(0);
        return String.format(
                Locale.ROOT,
                "The noise of this machine: the baselines, which do the same few requests every time, ranged from %d %% below"
                        + " to %d %% above their own median from round to round.",
                below,
                above);
    }
}
