package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSafety;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.servers.RedisTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How far the figures of a run can be trusted: its noise, and what it does not show. */
final class Limitations {
    private final ResultsDocument document;

    Limitations(ResultsDocument document) {
        this.document = document;
    }

    /** One baseline at one workload: how far its rounds lay from their median, in percent. */
    record Noise(String baseline, String what, long below, long above) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s −%d %% to +%d %% (%s)", baseline, below, above, what);
        }
    }

    /** A baseline does the same few round trips each time, so what makes it vary is the machine. */
    List<Noise> noise() {
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
    String noiseInWords() {
        List<Noise> all = noise();
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

    /** Numbered on the page. */
    List<String> sentences() {
        List<String> all = new ArrayList<>();
        incomplete().ifPresent(all::add);
        long holds = document.safety().stream().mapToLong(ReportedSafety::holds).sum();
        all.add("Safety. " + DisplayNames.count(holds)
                + " holds were watched in this run. No overlap proves nothing; one overlap would be a counter-example."
                + " Nothing was paused, killed or cut off while speed was measured, unless an"
                + " experiment says so.");
        all.add("The guarantees are not from this run but from one of the conformance suite on commit "
                + document.suite().commit() + " (" + document.suite().date() + ", "
                + document.suite().thoroughness()
                + "), with leases of about a second. “No violation found” means that the suite tried and found no"
                + " violation.");
        replicated().ifPresent(all::add);
        all.add("Rounds are few: most figures are the median of " + document.rounds()
                + ", with the lowest and the highest."
                + " These brackets show what was measured; they are no confidence interval.");
        all.add("Waiting times are those of a closed loop: a thread that waits sends no other request."
                + " Under an open load waits would be longer. A slow acquisition counts with its whole"
                + " wait, also if it ended after its slice.");
        all.add("One machine: clients and servers share its processors, its disk and its loopback network, unless the"
                + " servers were given by --backend. Real networks add the same delay to each round trip and favour locks"
                + " with few of them.");
        notMeasured().ifPresent(all::add);
        all.add(
                "Each library has one client for each process, set up as its documentation advises. That is not always its"
                        + " default: spring-redis renews its locks, and is in pub/sub mode (spring-redis-spin is in the default mode,"
                        + " and renews, too); ShedLock has no default for how long a lock may be held; Curator has the retry policy of"
                        + " its examples; and Redisson is told of replicas where there are some, so that it waits for them.");
        return all;
    }

    private Optional<String> replicated() {
        return document.services().stream()
                .filter(service ->
                        RedisTopology.in(service).orElse(RedisTopology.STANDALONE) != RedisTopology.STANDALONE)
                .findFirst()
                .map(service -> "The figures of this run are of " + service
                        + "; the guarantees of locks on Redis were found on one server.");
    }

    private Optional<String> incomplete() {
        long planned = document.subjects().size() * (long) document.workloads().size();
        long measured = document.workloads().stream()
                .mapToLong(work -> document.subjects().stream()
                        .filter(each -> measured(work, each))
                        .count())
                .sum();
        if (planned == measured) {
            return Optional.empty();
        }
        return Optional.of((document.run().interrupted() ? "This run was interrupted. " : "")
                + "Of " + planned + " pairs of a lock and a workload " + measured + " were measured; "
                + document.failures().size()
                + " failed. The others are marked “"
                + (document.run().interrupted() ? "not measured" : "not asked in this run")
                + "” or “failed” where their figures would be. Without --full, some locks are asked only what the picture shows,"
                + " locks in strict order do nothing that many may share and no 16 names at once, and a baseline does only the work in"
                + " which nobody queues.");
    }

    private boolean measured(ReportedWorkload work, ReportedSubject subject) {
        return work.metrics().stream()
                .anyMatch(figure ->
                        document.measurement(work, figure, subject.subject()).isPresent());
    }

    private Optional<String> notMeasured() {
        List<String> missing = Experiments.ALL.stream()
                .map(Experiment::name)
                .filter(label -> document.workloads().stream()
                        .noneMatch(work -> work.experiment().equals(label)))
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("Not part of this run: the experiments " + DisplayNames.list(missing) + ".");
    }
}
