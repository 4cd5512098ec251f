package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.Workload;
import java.util.List;
import java.util.Map;

/** Two subjects at one workload. */
final class SampleResults {
    static final Workload WORKLOAD =
            Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);

    private SampleResults() {}

    static Results results(Map<String, Safety> safety, List<Failure> failures) {
        return new Results(
                List.of(WORKLOAD),
                List.of("mine", "theirs"),
                List.of(
                        new Measurement("uncontended", "mine", 1, 1, 0, "cycle_p50", "us", 100, 90, 120, 4),
                        new Measurement("uncontended", "mine", 1, 1, 0, "cycle_p99", "us", 250, 200, 300, 4),
                        new Measurement("uncontended", "theirs", 1, 1, 0, "cycle_p50", "us", 300, 280, 330, 4)),
                List.of(new Ratio("uncontended", "mine", "theirs", 1, 1, 0, "cycle_p50", 3, 2.5, 3.5, 4)),
                safety,
                failures,
                false);
    }
}
