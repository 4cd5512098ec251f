package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Advice.Card;
import java.util.List;
import java.util.stream.Stream;

/** Which lock for which need, one line each: the page begins with it, and the terminal ends with it. */
final class Answer {
    /** A terminal's end that is seen at a glance. */
    private static final int LINES = 5;

    private final List<Card> cards;

    Answer(ResultsDocument document) {
        this.cards = new Advice(document).cards();
    }

    /**
     * One need.
     *
     * @param need in words
     * @param lock what to take, or that none was found
     * @param alike what is as good, in words; empty if nothing is
     */
    record Line(String need, String lock, String alike) {
        @Override
        public String toString() {
            return need + " → " + lock + (alike.isEmpty() ? "" : " (as good: " + alike + ")");
        }
    }

    List<Line> lines() {
        return cards.stream()
                .map(card -> new Line(
                        card.need(),
                        card.lock().isEmpty() ? "no advice" : card.lock(),
                        DisplayNames.list(card.alike())))
                .toList();
    }

    /** A heading and the needs; of more than fit, the first. */
    List<String> forTheTerminal() {
        return Stream.concat(
                        Stream.of("IN FIVE LINES  which lock for which need"),
                        lines().stream().map(line -> "  " + line))
                .limit(LINES)
                .toList();
    }
}
