package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.statistics.Series;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The results of an earlier run, of this or another machine. Ratios are compared, not figures: a slower machine slows both locks of a
 * ratio.
 */
public final class EarlierResults {
    private final ResultsDocument before;
    private final Path file;
    private final double failBelow;

    private EarlierResults(ResultsDocument before, Path file, double failBelow) {
        this.before = before;
        this.file = file;
        this.failBelow = failBelow;
    }

    /**
     * Reads a file.
     *
     * @param file a results.json
     * @param failBelow what is worse: so many times as good as it was
     * @return what it says
     * @throws IOException if it can't be read, or is something else
     */
    public static EarlierResults read(Path file, double failBelow) throws IOException {
        try {
            return new EarlierResults(
                    ResultsFolder.json().readValue(file.toFile(), ResultsDocument.class), file, failBelow);
        } catch (FileNotFoundException e) {
            throw new NoSuchFileException(file.toString(), null, "there is no such file");
        } catch (NullPointerException e) {
            throw new IOException("it has no measurements", e);
        }
    }

    private record Change(Ratio now, Ratio then) {
        double times() {
            return now.median() / then.median();
        }

        boolean isWorseThan(double threshold) {
            return times() < threshold && now.high() < then.median();
        }
    }

    /**
     * Finds figures that have become worse: a ratio below the limit whose interval does not reach the earlier one. A ratio of fewer than four
     * rounds has no interval.
     *
     * @param machine the machine of this run
     * @param results the results of this run
     * @param groups the subjects that belong together
     * @return one line about the worst, or that there is nothing or too little to compare; empty if nothing is worse
     */
    public Optional<String> complaint(Machine machine, Results results, List<ServiceGroup> groups) {
        ResultsDocument now = ResultsDocument.of(
                Run.of(List.of(), Duration.ZERO, results.interrupted()),
                machine,
                results,
                groups,
                Guarantees.shipped());
        return complaint(now);
    }

    Optional<String> complaint(ResultsDocument now) {
        List<Change> changes = now.workloads().stream()
                .flatMap(work -> now.ratios().stream()
                        .filter(each -> isFirstFigure(work, each) && isJudged(now, each.subject()))
                        .flatMap(each -> earlier(each).stream().map(then -> new Change(each, then))))
                .toList();
        if (changes.isEmpty()) {
            return Optional.of("nothing measured in this run is in " + file + ", so there is nothing to compare");
        }
        List<Change> known =
                changes.stream().filter(each -> each.now().n() >= Series.FEWEST).toList();
        if (known.isEmpty()) {
            return Optional.of("fewer than four rounds of all that is in " + file
                    + ", too few to compare: --rounds and --forks" + " measure more");
        }
        List<Change> worse = known.stream()
                .filter(each -> each.isWorseThan(failBelow))
                .sorted(Comparator.comparingDouble(Change::times))
                .toList();
        return worse.stream().findFirst().map(worst -> words(worst, worse.size() - 1));
    }

    private static boolean isFirstFigure(ReportedWorkload work, Ratio ratio) {
        return work.matches(ratio.experiment(), ratio.processes(), ratio.threads(), ratio.holdMs(), ratio.at())
                && ratio.metric().equals(work.metrics().get(0).metric());
    }

    /** Not the peers that come with Hasp: that they became slower is no fault of the one who runs this. */
    private static boolean isJudged(ResultsDocument now, String subject) {
        return now.subjects().stream()
                .anyMatch(each -> each.subject().equals(subject)
                        && (each.is(ResultsDocument.HASP)
                                || (each.is(ResultsDocument.PEER) && !DisplayNames.isKnown(subject))));
    }

    private Optional<Ratio> earlier(Ratio now) {
        return before.ratios().stream()
                .filter(each -> each.experiment().equals(now.experiment())
                        && each.subject().equals(now.subject())
                        && each.reference().equals(now.reference())
                        && each.processes() == now.processes()
                        && each.threads() == now.threads()
                        && each.holdMs() == now.holdMs()
                        && each.at() == now.at()
                        && each.metric().equals(now.metric()))
                .findFirst();
    }

    private String words(Change worst, int others) {
        Ratio now = worst.now();
        return "worse than in " + file + ": " + now.subject() + " against " + now.reference() + " at "
                + now.experiment()
                + " (" + now.processes() + "×" + now.threads() + " threads, hold " + now.holdMs() + " ms) is "
                + NumberText.spread(now) + ", was ×"
                + NumberText.times(worst.then().median()) + ", so "
                + NumberText.times(worst.times()) + " times as good; the limit is " + failBelow
                + (others == 0 ? "" : "; and " + others + " more");
    }
}
