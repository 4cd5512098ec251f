package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.Guarantees.Rule;
import io.hasp.evaluation.report.Guarantees.RuleTest;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The rules at the end of the page: each test, and what it found for the locks on the page. */
final class RuleAppendix {
    private static final int LONGEST_REASON = 240;

    private final ResultsDocument document;
    private final List<Rule> rules;

    RuleAppendix(ResultsDocument document, List<Rule> rules) {
        this.document = document;
        this.rules = rules;
    }

    /** One rule. */
    record Entry(String id, String anchor, String sentence, List<TestEntry> tests) {
        String count() {
            return tests.size() == 1 ? "1 test" : tests.size() + " tests";
        }

        /** A broken rule is shown unfolded. */
        boolean broken() {
            return tests.stream()
                    .flatMap(test -> test.answers().stream())
                    .anyMatch(each -> each.look().equals(Outcome.BROKEN.look()));
        }
    }

    record TestEntry(String name, String source, List<Answer> answers) {}

    record Answer(String look, String words) {}

    List<Entry> entries() {
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
        List<Answer> answers = Stream.of(Outcome.values())
                .flatMap(outcome -> answers(outcome, found))
                .toList();
        return new TestEntry(test.name().replace('_', ' '), test.source(), answers);
    }

    /** Locks with the same outcome share a line, but whatever was not kept has its reason. */
    private static Stream<Answer> answers(Outcome outcome, List<Guarantee> found) {
        List<Guarantee> those =
                found.stream().filter(each -> each.outcome() == outcome).toList();
        if (outcome == Outcome.BROKEN || outcome == Outcome.LATE) {
            return those.stream()
                    .map(each -> new Answer(
                            outcome.look(), outcome.words() + each.subject() + ": " + shortened(each.reason())));
        }
        List<String> names = those.stream().map(Guarantee::subject).toList();
        return names.isEmpty()
                ? Stream.empty()
                : Stream.of(new Answer(outcome.look(), outcome.words() + String.join(", ", names)));
    }

    private static String shortened(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + " …";
    }
}
