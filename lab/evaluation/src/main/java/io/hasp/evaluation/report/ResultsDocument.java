package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.statistics.Series;
import io.hasp.evaluation.statistics.Spread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content of {@code results.json}, and the source of the page. The fields are listed in {@code docs/results.md}.
 *
 * @param schema name and version of this shape
 * @param run the conditions of the run
 * @param machine the machine of the run
 * @param subjects the participants
 * @param workloads the work, including work that failed
 * @param measurements each figure with its spread
 * @param ratios the subjects' figures relative to each other
 * @param safety observations of each subject's safety during the measurement
 * @param failures the failures of subjects
 * @param suite the run of the conformance suite with the guarantees
 * @param guarantees the results of that run
 */
record ResultsDocument(
        String schema,
        Run run,
        Machine machine,
        List<ReportedSubject> subjects,
        List<ReportedWorkload> workloads,
        List<Measurement> measurements,
        List<Ratio> ratios,
        List<ReportedSafety> safety,
        List<Failure> failures,
        SuiteRun suite,
        List<Guarantee> guarantees) {

    /** Changes with the meaning or the name of a field, not with a field added. */
    static final String SCHEMA = "hasp-results/4";

    static final String HASP = "hasp";
    static final String PEER = "peer";
    static final String BASELINE = "baseline";

    /** One lock: its service in words, and its part: {@code hasp}, {@code peer} or {@code baseline}. */
    record ReportedSubject(String subject, String service, String role) {
        boolean is(String wanted) {
            return role.equals(wanted);
        }
    }

    /** One workload, and the figures that it is measured by, the most important one first. */
    record ReportedWorkload(
            String experiment,
            String shape,
            String words,
            int processes,
            int threads,
            int locks,
            long holdMs,
            String axis,
            String axisUnit,
            double at,
            List<ReportedMetric> metrics) {

        /** A point of no curve. */
        ReportedWorkload(
                String experiment,
                String shape,
                String words,
                int processes,
                int threads,
                int locks,
                long holdMs,
                List<ReportedMetric> metrics) {
            this(experiment, shape, words, processes, threads, locks, holdMs, "", "", 0, metrics);
        }

        boolean isOnACurve() {
            return !axis.isEmpty();
        }

        static ReportedWorkload of(Workload workload) {
            return new ReportedWorkload(
                    workload.experiment().name(),
                    workload.shape(),
                    workload.sentence(),
                    workload.processes(),
                    workload.threads(),
                    workload.locks(),
                    workload.holdMillis(),
                    workload.axis().title(),
                    workload.axis().unit(),
                    workload.at(),
                    workload.experiment().metrics().stream()
                            .map(metric -> ReportedMetric.of(metric, workload))
                            .toList());
        }

        boolean matches(String itsExperiment, int itsProcesses, int itsThreads, long itsHold, double itsPlace) {
            return experiment.equals(itsExperiment)
                    && processes == itsProcesses
                    && threads == itsThreads
                    && holdMs == itsHold
                    && at == itsPlace;
        }
    }

    /** A kind of figure; {@code better} is {@code lower} or {@code higher}. */
    record ReportedMetric(String metric, String title, String unit, String better) {
        static ReportedMetric of(Metric metric, Workload workload) {
            return new ReportedMetric(
                    metric.label(), metric.title(), metric.unit(), metric.lowerIsBetter() ? "lower" : "higher");
        }

        boolean lowerIsBetter() {
            return better.equals("lower");
        }
    }

    /** Safety of one subject in this run. */
    record ReportedSafety(String subject, long holds, long overlaps, long staleTokens, long lostHolds) {
        static ReportedSafety of(Map.Entry<String, Safety> each) {
            Safety seen = each.getValue();
            return new ReportedSafety(
                    each.getKey(), seen.holds(), seen.overlaps(), seen.staleTokens(), seen.lostHolds());
        }

        long violations() {
            return overlaps + staleTokens + lostHolds;
        }
    }

    /**
     * The origin of the guarantees. The {@code state} compares the locks' sources with that run's: {@code same},
     * {@code changed} or {@code unknown}.
     */
    record SuiteRun(String commit, String date, String tier, String sources, String state) {
        static SuiteRun of(Guarantees found, String sourcesNow) {
            return new SuiteRun(
                    found.commit(), found.date(), found.tier(), found.sources(), state(found.sources(), sourcesNow));
        }

        private static String state(String then, String now) {
            if (List.of(then, now).contains(LockSources.UNKNOWN)) {
                return LockSources.UNKNOWN;
            }
            return then.equals(now) ? "same" : "changed";
        }

        /** Peers are tested less often than Hasp's locks are: most of their faults show at once. */
        String thoroughness() {
            return tier.equals("full") ? "full tier, for peers with the counts of the standard one" : tier + " tier";
        }

        /** In words for an alarm; empty if there is no reason for one. */
        String alarm() {
            return state.equals("changed")
                    ? "The guarantees are out of date: the sources of Hasp's locks have changed since commit " + commit
                            + ", on which the conformance suite was run."
                    : "";
        }
    }

    static ResultsDocument of(
            Run run, Machine machine, Results results, List<ServiceGroup> groups, Guarantees guarantees) {
        List<ReportedSubject> subjects =
                groups.stream().flatMap(ResultsDocument::subjects).toList();
        return new ResultsDocument(
                SCHEMA,
                run,
                machine,
                subjects,
                results.workloads().stream().map(ReportedWorkload::of).toList(),
                results.measurements(),
                results.ratios(),
                results.safety().entrySet().stream().map(ReportedSafety::of).toList(),
                results.failures(),
                SuiteRun.of(guarantees, LockSources.here()),
                guarantees.outcomes().stream()
                        .filter(each -> subjects.stream().anyMatch(one -> each.isOf(one.subject())))
                        .toList());
    }

    private static Stream<ReportedSubject> subjects(ServiceGroup group) {
        return Stream.of(
                        group.hasp().stream().map(each -> new ReportedSubject(each, group.title(), HASP)),
                        group.peers().stream().map(each -> new ReportedSubject(each, group.title(), PEER)),
                        group.baselines().stream().map(each -> new ReportedSubject(each, group.title(), BASELINE)))
                .flatMap(each -> each);
    }

    List<ReportedSubject> locks() {
        return subjects.stream().filter(each -> !each.is(BASELINE)).toList();
    }

    Optional<Measurement> measurement(ReportedWorkload work, ReportedMetric figure, String subject) {
        return measurements.stream()
                .filter(each ->
                        work.matches(each.experiment(), each.processes(), each.threads(), each.holdMs(), each.at())
                                && each.metric().equals(figure.metric())
                                && each.subject().equals(subject))
                .findFirst();
    }

    Optional<Ratio> ratio(ReportedWorkload work, ReportedMetric figure, String subject, String reference) {
        return ratios.stream()
                .filter(each ->
                        work.matches(each.experiment(), each.processes(), each.threads(), each.holdMs(), each.at())
                                && each.metric().equals(figure.metric())
                                && each.subject().equals(subject)
                                && each.reference().equals(reference))
                .findFirst();
    }

    Optional<Failure> failure(ReportedWorkload work, String subject) {
        return failures.stream()
                .filter(each ->
                        work.matches(each.experiment(), each.processes(), each.threads(), each.holdMs(), each.at())
                                && each.locks() == work.locks()
                                && each.subject().equals(subject))
                .findFirst();
    }

    Optional<ReportedSafety> watched(String subject) {
        return safety.stream().filter(each -> each.subject().equals(subject)).findFirst();
    }

    /** Those measured, the best first. */
    List<Measurement> ranked(ReportedWorkload work, ReportedMetric figure, List<ReportedSubject> among) {
        return among.stream()
                .flatMap(each -> measurement(work, figure, each.subject()).stream())
                .sorted((one, other) ->
                        (figure.lowerIsBetter() ? 1 : -1) * Double.compare(one.median(), other.median()))
                .toList();
    }

    /** Why a figure is missing, in words for its place. */
    String missing(ReportedWorkload work, String subject) {
        if (failure(work, subject).isPresent()) {
            return "failed";
        }
        boolean other = measurements.stream()
                .anyMatch(each -> each.subject().equals(subject)
                        && work.matches(each.experiment(), each.processes(), each.threads(), each.holdMs(), each.at()));
        if (other) {
            return "too few observations";
        }
        return run.interrupted() ? "not measured" : "not asked in this run";
    }

    /**
     * Returns the number of rounds of most figures. Work with several slices per round has more values; figures that
     * need many observations have fewer.
     */
    int rounds() {
        Map<Integer, Long> figures = measurements.stream()
                .collect(Collectors.groupingBy(Measurement::n, TreeMap::new, Collectors.counting()));
        return figures.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    /** Returns the number of starts of the client processes; 0 for a file that does not say it. */
    long forks() {
        return measurements.stream()
                .flatMap(each -> each.forks().stream())
                .distinct()
                .count();
    }

    /**
     * Returns the ratio of one lock's figures to another's. The locks differ only if 1 lies outside the interval.
     *
     * @param comparisons the number of comparisons made together
     * @return empty if there is nothing to compare; for a file without the figures of the rounds, the ratio in the file
     */
    Optional<Spread> advantage(
            ReportedWorkload work, ReportedMetric figure, Measurement mine, Measurement theirs, int comparisons) {
        Spread spread = Series.advantage(mine.series(), theirs.series(), figure.lowerIsBetter(), comparisons);
        return spread.n() > 0
                ? Optional.of(spread)
                : ratio(work, figure, mine.subject(), theirs.subject())
                        .map(found -> new Spread(found.median(), found.low(), found.high(), found.n()));
    }
}
