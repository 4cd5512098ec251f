package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which lock for which need. A lock is advised only if it was measured in this run, violated nothing in it, and keeps
 * the rules that the need asks for; of those locks, the one with the best median. Others of which no {@link Difference} to it
 * is shown are named as equally good.
 */
final class Advice {
    private final ResultsDocument document;
    private final Guarantees guarantees;

    Advice(ResultsDocument document) {
        this.document = document;
        this.guarantees = Guarantees.of(document);
    }

    /**
     * One need and its lock.
     *
     * @param need in words
     * @param asked what a lock has to meet
     * @param lock its name, empty if none can be advised
     * @param what it is, in words
     * @param why the figures, or why there is no advice
     * @param caveat what to know before taking it
     * @param others who was left out, and why
     * @param alike who is as good
     * @param also the best that fits, too, though it is slower: of another library if the advised lock is Hasp's, or else of
     *     Hasp's; empty if none does, or if it is as good
     */
    record Card(
            String need,
            String asked,
            String lock,
            String what,
            String why,
            String caveat,
            List<String> others,
            List<String> alike,
            String also) {}

    List<Card> cards() {
        return Need.ALL.stream().map(this::card).toList();
    }

    private Card card(Need need) {
        Map<String, String> reasons = new LinkedHashMap<>();
        List<ReportedSubject> fit = new ArrayList<>();
        for (ReportedSubject lock : document.locks()) {
            need.objection(document, guarantees, lock.subject())
                    .ifPresentOrElse(why -> reasons.put(lock.subject(), why), () -> fit.add(lock));
        }
        for (Need.Criterion criterion : need.criteria()) {
            Optional<ReportedWorkload> work = criterion.of(document);
            if (work.isPresent()) {
                return card(need, work.get(), criterion.figure(work.get()), fit, reasons);
            }
        }
        return none(
                need,
                "Not measured in this run: it takes the experiment “"
                        + need.criteria().get(0).experiment().name() + "”.",
                reasons);
    }

    private Card card(
            Need need,
            ReportedWorkload work,
            ReportedMetric figure,
            List<ReportedSubject> fit,
            Map<String, String> reasons) {
        fit.stream()
                .filter(each ->
                        document.measurement(work, figure, each.subject()).isEmpty())
                .forEach(each -> reasons.put(each.subject(), document.missing(work, each.subject())));
        List<Measurement> ranked = document.ranked(work, figure, fit);
        if (ranked.isEmpty()) {
            return none(need, "No lock that was measured in this run is known to meet this need.", reasons);
        }
        Measurement best = ranked.get(0);
        List<Measurement> behind = ranked.subList(1, ranked.size());
        List<String> asGood = behind.stream()
                .filter(each -> Difference.of(document, work, figure, best, each, behind.size()) != Difference.BETTER)
                .map(Measurement::subject)
                .toList();
        behind.stream()
                .filter(each -> !asGood.contains(each.subject()))
                .forEach(each -> reasons.put(
                        each.subject(),
                        "fits, too; " + DisplayNames.spread(each.median(), each.low(), each.high(), figure.unit())));
        String why = DisplayNames.capital(work.words()) + ": " + figure.title() + " "
                + DisplayNames.spread(best.median(), best.low(), best.high(), figure.unit())
                + (ranked.size() == 1 ? ", the only one that fits" : ", the best of " + ranked.size() + " that fit")
                + (asGood.isEmpty()
                        ? "."
                        : "; no difference shown to "
                                + DisplayNames.list(asGood.stream()
                                        .map(DisplayNames::marked)
                                        .toList()) + ".")
                + HandOffNote.of(document, work, figure, best.subject())
                        .map(note -> " " + note)
                        .orElse("")
                + beside(need)
                + beyondPeers(need);
        return new Card(
                need.title(),
                need.asked(),
                best.subject(),
                DisplayNames.subject(best.subject()),
                why,
                caveat(need, best.subject()),
                list(reasons),
                asGood,
                also(ranked, asGood));
    }

    private String also(List<Measurement> ranked, List<String> asGood) {
        String role = role(ranked.get(0));
        return ranked.stream()
                .filter(each -> !role(each).equals(role))
                .findFirst()
                .map(Measurement::subject)
                .filter(each -> !asGood.contains(each))
                .orElse("");
    }

    private String role(Measurement found) {
        return document.locks().stream()
                .filter(each -> each.subject().equals(found.subject()))
                .findFirst()
                .map(ReportedSubject::role)
                .orElse("");
    }

    private String beside(Need need) {
        return need.beside().stream()
                .flatMap(each -> each.of(document).stream()
                        .map(work -> " " + DisplayNames.capital(work.experiment())
                                + ", compared by speed alone: "
                                + new Conclusion(document, work, each.figure(work)).comparison()))
                .collect(Collectors.joining());
    }

    private String beyondPeers(Need need) {
        List<String> beyond = need.beyondPeers(document, guarantees);
        return beyond.isEmpty()
                ? ""
                : " No lock of another library that was measured here "
                        + DisplayNames.list(beyond).replace(" and ", " or ")
                        + ": for this need they could not be advised.";
    }

    private static Card none(Need need, String why, Map<String, String> reasons) {
        return new Card(need.title(), need.asked(), "", "", why, need.caveat().strip(), list(reasons), List.of(), "");
    }

    private static List<String> list(Map<String, String> reasons) {
        return reasons.entrySet().stream()
                .map(each -> DisplayNames.marked(each.getKey()) + ": " + each.getValue())
                .toList();
    }

    private String caveat(Need need, String lock) {
        boolean tokens = guarantees.keeps(lock, "fe1_");
        String untested = need.requirements().stream()
                .map(each -> each.untested(guarantees, lock))
                .filter(ids -> !ids.isEmpty())
                .collect(Collectors.joining(", "));
        return need.caveat()
                + (untested.isEmpty() ? "" : "Not tested on it: " + untested + ". ")
                + Topology.of(document, lock).caveat()
                + (tokens
                        ? " A process that was paused may act late: only a store that checks the fencing token is safe then."
                        : " It gives no fencing token: a process that was paused may act late, and no store can tell.");
    }
}
