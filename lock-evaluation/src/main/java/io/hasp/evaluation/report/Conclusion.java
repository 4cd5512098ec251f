package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Spread;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.subject.Subject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one figure shows for each service, in a sentence: the best of Hasp's locks against the best of the others. They
 * are called different only if 1 lies outside the brackets of their ratio, which are as wide that all pairs that could have been
 * picked hold together.
 */
final class Conclusion {
    private static final List<String> STRICT = List.of(Experiments.CONTENDED.name(), Experiments.HANDOFF.name());

    private final ResultsDocument document;
    private final ReportedWorkload work;
    private final ReportedMetric figure;

    Conclusion(ResultsDocument document, ReportedWorkload work, ReportedMetric figure) {
        this.document = document;
        this.work = work;
        this.figure = figure;
    }

    /** With what the first figure of the work owes to options that peers have no match for. */
    @Override
    public String toString() {
        Stream<String> notes = document.services().stream()
                .flatMap(service ->
                        ranked(service, ResultsDocument.HASP).stream().limit(1))
                .flatMap(best -> HandOffNote.of(document, work, figure, best.subject()).stream());
        return figure.equals(work.metrics().get(0))
                ? Stream.concat(Stream.of(comparison()), notes).collect(Collectors.joining(" "))
                : comparison();
    }

    /** Without that. */
    String comparison() {
        String sentence = document.services().stream()
                .map(service -> "on " + service + " " + about(service))
                .collect(Collectors.joining("; "));
        return DisplayNames.capital(sentence) + ".";
    }

    private String about(String service) {
        List<Measurement> hasp = ranked(service, ResultsDocument.HASP);
        List<Measurement> peers = ranked(service, ResultsDocument.PEER);
        if (!hasp.isEmpty() && !peers.isEmpty()) {
            return strict(hasp, peers) + compared(hasp.get(0), peers.get(0), hasp.size() * peers.size());
        }
        if (peers.size() > 1) {
            return compared(peers.get(0), peers.get(1), peers.size() - 1);
        }
        return hasp.stream()
                .findFirst()
                .or(() -> peers.stream().findFirst())
                .or(() -> ranked(service, ResultsDocument.BASELINE).stream().findFirst())
                .map(only -> has(only) + ", with nothing to compare it with")
                .orElse("nothing was measured");
    }

    /** Strict order against strict order comes first, where both want one name. */
    private String strict(List<Measurement> hasp, List<Measurement> peers) {
        if (!STRICT.contains(work.experiment())) {
            return "";
        }
        Optional<Measurement> ours = strict(hasp);
        Optional<Measurement> theirs = strict(peers);
        return ours.isEmpty() || theirs.isEmpty()
                ? ""
                : "strict order against strict order, " + compared(ours.get(), theirs.get(), 1)
                        + "; the best against the best, ";
    }

    private static Optional<Measurement> strict(List<Measurement> among) {
        return among.stream().filter(each -> Subject.isStrict(each.subject())).findFirst();
    }

    private String has(Measurement found) {
        return marked(found) + " has " + DisplayNames.spread(found.median(), found.low(), found.high(), figure.unit());
    }

    private List<Measurement> ranked(String service, String role) {
        List<ReportedSubject> among = document.subjects().stream()
                .filter(each -> each.service().equals(service) && each.is(role))
                .toList();
        return document.ranked(work, figure, among);
    }

    private String compared(Measurement one, Measurement other, int comparisons) {
        Optional<Spread> found = document.advantage(work, figure, one, other, comparisons);
        if (found.isEmpty()) {
            return has(one) + ", " + has(other);
        }
        Spread ratio = found.get();
        return switch (Difference.of(ratio)) {
            case TOO_FEW_ROUNDS -> "there are too few rounds to tell " + marked(one) + " from " + marked(other);
            case BETTER ->
                marked(one) + " is " + NumberText.times(ratio.median()) + " ("
                        + NumberText.times(ratio.low()) + "–" + NumberText.times(ratio.high()) + ") times "
                        + comparative(true) + " " + marked(other);
            case WORSE ->
                marked(one) + " is " + NumberText.times(1 / ratio.median()) + " ("
                        + NumberText.times(1 / ratio.high()) + "–" + NumberText.times(1 / ratio.low()) + ") times "
                        + comparative(false) + " " + marked(other);
            case NOT_SHOWN -> "no difference is shown between " + marked(one) + " and " + marked(other);
        };
    }

    private String marked(Measurement found) {
        return DisplayNames.in(work.experiment(), found.subject())
                + (HandOffNote.handsOff(document, work, found.subject()) ? ", handing off within its process," : "")
                + (document.failure(work, found.subject()).isPresent() ? " (until it failed)" : "");
    }

    private String comparative(boolean better) {
        boolean time = List.of("us", "ms", "s", "1/s").contains(figure.unit());
        if (time) {
            return better ? "faster than" : "slower than";
        }
        if (figure.lowerIsBetter()) {
            return better ? "lower than" : "higher than";
        }
        return better ? "higher than" : "lower than";
    }
}
