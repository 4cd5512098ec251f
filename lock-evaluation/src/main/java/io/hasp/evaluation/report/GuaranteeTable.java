package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.Guarantees.Rule;
import io.hasp.evaluation.report.Guarantees.RuleTest;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Guarantees and speed of each lock in one row, and the rules behind them. */
final class GuaranteeTable {
    private static final int FIGURES = 2;

    private final ResultsDocument document;
    private final List<Rule> rules;

    GuaranteeTable(ResultsDocument document, List<Rule> rules) {
        this.document = document;
        this.rules = rules;
    }

    /** A question that a buyer of locks asks, and the rules that answer it. */
    record Topic(String title, List<String> ids) {
        String first() {
            return ids.get(0).toLowerCase(Locale.ROOT);
        }

        String rules() {
            return String.join(", ", ids);
        }
    }

    static final List<Topic> TOPICS = List.of(
            new Topic("one holder at a time", List.of("ME1", "ME2", "OW1", "OW2")),
            new Topic("a paused holder", List.of("LE8", "ME3", "FE6")),
            new Topic("fencing token", List.of("FE1", "FE2", "FE3", "FE4", "FE5")),
            new Topic("first come, first served", List.of("LI6")),
            new Topic("free after a crash", List.of("LI1", "LE1", "LI9")),
            new Topic("kept while in use", List.of("LE2", "LE4")),
            new Topic("no outage called “busy”", List.of("FA11", "FA5", "FA6")),
            new Topic("waits end, wake and clean up", List.of("AP1", "AP2", "LI3", "LI5")));

    /** One cell: a class for its look, a sign, words, and the rule to look up. */
    record Cell(String look, String sign, String words, String link) {}

    record Row(String subject, String what, String service, String look, List<Cell> cells) {}

    List<String> headings() {
        return figures().stream()
                .map(each -> each.figure().title() + " (" + each.work().experiment() + ", "
                        + each.work().shape() + ")")
                .toList();
    }

    List<Row> rows() {
        return document.subjects().stream()
                .map(each -> new Row(
                        each.subject(), Wording.subject(each.subject()), each.service(), each.role(), cells(each)))
                .toList();
    }

    private List<Cell> cells(ReportedSubject subject) {
        Stream<Cell> topics = TOPICS.stream().map(topic -> cell(topic, subject));
        Stream<Cell> speed = figures().stream().map(each -> speed(each, subject.subject()));
        return Stream.of(topics, Stream.of(watched(subject.subject())), speed)
                .flatMap(each -> each)
                .toList();
    }

    private Cell cell(Topic topic, ReportedSubject subject) {
        List<Guarantee> all = document.guarantees().stream()
                .filter(each ->
                        each.subject().equals(subject.subject()) && topic.ids().contains(each.id()))
                .toList();
        long held = count(all, Outcome.HELD);
        long broken = count(all, Outcome.BROKEN);
        long asked = held + broken;
        String link = all.stream()
                .filter(each -> broken == 0 || each.outcome() == Outcome.BROKEN)
                .map(each -> each.id().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse(topic.first());
        if (broken > 0) {
            return new Cell("broken", "✗", broken + " / " + asked, link);
        }
        boolean partly = count(all, Outcome.NOT_OFFERED) > 0;
        if (held > 0) {
            return new Cell(partly ? "partly" : "held", partly ? "◐" : "✓", "0 / " + asked, link);
        }
        if (partly) {
            return new Cell("absent", "–", "not offered", link);
        }
        return subject.is(ResultsDocument.BASELINE)
                ? new Cell("absent", "", "no lock to use", "")
                : new Cell("absent", "?", "not tested", link);
    }

    private static long count(List<Guarantee> among, Outcome outcome) {
        return among.stream().filter(each -> each.outcome() == outcome).count();
    }

    private Cell watched(String subject) {
        return document.watched(subject)
                .filter(seen -> seen.holds() > 0)
                .map(seen -> seen.violations() > 0
                        ? new Cell(
                                "broken",
                                "✗",
                                Wording.count(seen.violations()) + " violations in " + Wording.count(seen.holds())
                                        + " holds",
                                "")
                        : new Cell("held", "✓", "0 / " + Wording.count(seen.holds()), ""))
                .orElse(new Cell("absent", "?", "not watched", ""));
    }

    private record Speed(ReportedWorkload work, ReportedMetric figure) {}

    private List<Speed> figures() {
        List<Speed> all = new ArrayList<>();
        document.workloads().stream()
                .limit(1)
                .forEach(work ->
                        work.metrics().stream().limit(FIGURES).forEach(figure -> all.add(new Speed(work, figure))));
        document.workloads().stream()
                .filter(work -> work.experiment().equals("contended"))
                .findFirst()
                .ifPresent(work ->
                        work.metrics().stream().limit(FIGURES / 2).forEach(figure -> all.add(new Speed(work, figure))));
        return all.stream().distinct().toList();
    }

    private Cell speed(Speed wanted, String subject) {
        return document.measurement(wanted.work(), wanted.figure(), subject)
                .map(found -> new Cell(
                        "speed",
                        "",
                        Wording.figure(found.median(), wanted.figure().unit()),
                        ""))
                .orElseGet(() -> new Cell("absent", "", document.missing(wanted.work(), subject), ""));
    }

    /** A rule, as the appendix tells it. */
    record Entry(String id, String anchor, String sentence, List<TestEntry> tests) {
        String count() {
            return tests.size() == 1 ? "1 test" : tests.size() + " tests";
        }

        /** What speaks against a lock is not folded away. */
        boolean broken() {
            return tests.stream()
                    .flatMap(test -> test.answers().stream())
                    .anyMatch(each -> each.look().equals("broken"));
        }
    }

    record TestEntry(String name, String source, List<Answer> answers) {}

    record Answer(String look, String words) {}

    List<Entry> appendix() {
        return rules.stream()
                .map(rule -> new Entry(
                        rule.id(),
                        rule.id().toLowerCase(Locale.ROOT),
                        rule.sentence(),
                        rule.tests().stream().map(this::entry).toList()))
                .toList();
    }

    private TestEntry entry(RuleTest test) {
        List<Guarantee> found = document.guarantees().stream()
                .filter(each -> each.rule().equals(test.name()))
                .toList();
        List<Answer> answers = new ArrayList<>();
        together(found, Outcome.HELD, "held", "no violation found: ").ifPresent(answers::add);
        found.stream()
                .filter(each -> each.outcome() == Outcome.BROKEN)
                .forEach(each -> answers.add(
                        new Answer("broken", "broken by " + each.subject() + ": " + shortened(each.reason()))));
        together(found, Outcome.NOT_OFFERED, "absent", "not offered: ").ifPresent(answers::add);
        together(found, Outcome.NOT_TESTED, "absent", "not tested: ").ifPresent(answers::add);
        return new TestEntry(test.name().replace('_', ' '), test.source(), answers);
    }

    private static Optional<Answer> together(List<Guarantee> found, Outcome outcome, String look, String words) {
        List<String> names = found.stream()
                .filter(each -> each.outcome() == outcome)
                .map(Guarantee::subject)
                .toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(new Answer(look, words + String.join(", ", names)));
    }

    private static String shortened(String reason) {
        int most = 240;
        return reason.length() <= most ? reason : reason.substring(0, most) + " …";
    }
}
