package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSafety;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which lock for which need. A lock is advised only if it was measured here, was seen to break nothing here, and keeps the
 * rules that the need asks for; of those, the one with the best median. Others whose rounds overlap with its rounds are named
 * beside it: they did as well.
 */
final class Advice {
    /** What any lock has to do. */
    private static final List<String> ALWAYS = List.of("me1_", "me2_", "ow1_");

    /** A lock whose holder died is free again: seen with a process that was killed, or by the end of a lease. */
    private static final List<String> FREED = List.of("li1_", "le1_");

    private final ResultsDocument document;
    private final Guarantees guarantees;

    Advice(ResultsDocument document) {
        this.document = document;
        this.guarantees = new Guarantees(
                document.suite().commit(),
                document.suite().date(),
                document.suite().tier(),
                List.of(),
                document.guarantees());
    }

    /**
     * One need and its lock.
     *
     * @param need in words
     * @param lock its name, empty if none can be advised
     * @param what it is, in words
     * @param why the figures, or why there is no advice
     * @param caveat what to know before taking it
     * @param others who was left out, and why
     */
    record Card(String need, String lock, String what, String why, String caveat, List<String> others) {}

    List<Card> cards() {
        return Stream.of(Need.values()).map(this::card).toList();
    }

    private Card card(Need need) {
        Map<String, String> reasons = new LinkedHashMap<>();
        List<ReportedSubject> fit = new ArrayList<>();
        for (ReportedSubject lock : document.locks()) {
            Optional<String> against = against(lock, need);
            against.ifPresentOrElse(why -> reasons.put(lock.subject(), why), () -> fit.add(lock));
        }
        for (Need.Criterion criterion : need.criteria) {
            Optional<ReportedWorkload> work = criterion.of(document);
            if (work.isPresent()) {
                return card(need, work.get(), criterion.figure(work.get()), fit, reasons);
            }
        }
        return none(
                need,
                "Not measured in this run: it takes the experiment “"
                        + need.criteria.get(0).experiment() + "”.",
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
            return none(need, "No lock that was measured in this run is known to do what this takes.", reasons);
        }
        Measurement best = ranked.get(0);
        List<Measurement> behind = ranked.subList(1, ranked.size());
        List<String> asGood = behind.stream()
                .filter(each -> each.high() >= best.low() && each.low() <= best.high())
                .map(Measurement::subject)
                .toList();
        behind.stream()
                .filter(each -> !asGood.contains(each.subject()))
                .forEach(each -> reasons.put(
                        each.subject(), Wording.spread(each.median(), each.low(), each.high(), figure.unit())));
        String why = Wording.capital(work.words()) + ": " + figure.title() + " "
                + Wording.spread(best.median(), best.low(), best.high(), figure.unit())
                + (ranked.size() == 1 ? ", the only one that fits" : ", the best of " + ranked.size() + " that fit")
                + (asGood.isEmpty() ? "." : "; no difference shown to " + Wording.list(asGood) + ".");
        return new Card(
                need.words,
                best.subject(),
                Wording.subject(best.subject()),
                why,
                caveat(need, best.subject()),
                list(reasons));
    }

    private static Card none(Need need, String why, Map<String, String> reasons) {
        return new Card(need.words, "", "", why, "", list(reasons));
    }

    private static List<String> list(Map<String, String> reasons) {
        return reasons.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .toList();
    }

    private String caveat(Need need, String lock) {
        boolean majority = Need.survivesAServer(lock);
        String service = lock.contains("zookeeper") || lock.contains("curator")
                ? "Every lock is a write to the disks of a majority; without a majority there are no locks."
                : majority
                        ? "It takes independent servers whose clocks keep pace; without a majority there are no locks."
                        : "One Redis server: a failover or a restart without its data may forget a lock.";
        boolean tokens = guarantees.keeps(lock, "fe1_");
        return need.caveat
                + service
                + (tokens
                        ? " A process that was paused may act late: only a store that checks the fencing token is safe then."
                        : " It gives no fencing token: a process that was paused may act late, and nothing can tell.");
    }

    private Optional<String> against(ReportedSubject lock, Need need) {
        if (need.survival && !Need.survivesAServer(lock.subject())) {
            return Optional.of("one server keeps it");
        }
        if (document.watched(lock.subject())
                .filter(each -> each.violations() > 0)
                .isPresent()) {
            return Optional.of("SAFETY VIOLATED in this run, "
                    + Wording.count(document.watched(lock.subject())
                            .map(ReportedSafety::violations)
                            .orElse(0L)) + " times");
        }
        if (need.survival && sawTwoHoldersAfterAFailure(lock.subject())) {
            return Optional.of("two held it at once when a server was killed in this run");
        }
        boolean freed = FREED.stream().anyMatch(rule -> guarantees.keeps(lock.subject(), rule))
                && FREED.stream().noneMatch(rule -> guarantees.has(lock.subject(), rule, Outcome.BROKEN));
        return Stream.of(ALWAYS, need.rules, freed ? List.<String>of() : FREED)
                .flatMap(List::stream)
                .flatMap(rule -> against(lock.subject(), rule).stream())
                .findFirst();
    }

    private boolean sawTwoHoldersAfterAFailure(String lock) {
        return document.measurements().stream()
                .filter(each -> each.subject().equals(lock) && each.experiment().equals("failover"))
                .anyMatch(each -> List.of("overlaps", "stale_tokens").contains(each.metric()) && each.high() > 0);
    }

    private Optional<String> against(String lock, String rule) {
        if (guarantees.keeps(lock, rule)) {
            return Optional.empty();
        }
        String id = Guarantees.idOf(rule);
        Optional<Guarantee> worst = guarantees.of(lock).stream()
                .filter(each -> each.rule().startsWith(rule) && each.outcome() == Outcome.BROKEN)
                .findFirst();
        if (worst.isPresent()) {
            return Optional.of("breaks " + id);
        }
        return Optional.of(
                guarantees.has(lock, rule, Outcome.NOT_OFFERED) ? "does not offer " + id : id + " was not asked of it");
    }
}
