package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Advice.Card;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which lock for which need, one line each: the page begins with it, and the terminal ends with it. */
final class Answer {
    private final List<Card> cards;

    Answer(ResultsDocument document) {
        this.cards = new Advice(document).cards();
    }

    /**
     * One need.
     *
     * @param need in words
     * @param lock what to take, or that none was found
     * @param beside what else to take, in words; empty if nothing fits
     */
    record Line(String need, String lock, String beside) {
        @Override
        public String toString() {
            return need + " → " + lock + (beside.isEmpty() ? "" : " (" + beside + ")");
        }
    }

    List<Line> lines() {
        return cards.stream()
                .map(card -> new Line(card.need(), card.lock().isEmpty() ? "no advice" : card.lock(), beside(card)))
                .toList();
    }

    private static String beside(Card card) {
        String asGood = DisplayNames.list(card.alike());
        return Stream.of(
                        asGood.isEmpty() ? "" : "as good: " + asGood,
                        card.also().isEmpty() ? "" : "also: " + card.also())
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** A heading, and each need. */
    List<String> forTheTerminal() {
        return Stream.concat(
                        Stream.of(
                                "IN FIVE LINES  which lock for which need; also: meets the same criteria, but is slower"),
                        lines().stream().map(line -> "  " + line))
                .toList();
    }
}
