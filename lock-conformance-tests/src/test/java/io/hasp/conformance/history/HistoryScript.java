package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import java.util.List;

/** Writes histories by hand: one event a line, {@code milliseconds client#attempt KIND [value [token of the whole]]}, of a lock named L. */
final class HistoryScript {
    private static final long MILLI = 1_000_000;
    /** Far from zero, as a real clock is. */
    private static final long START = 5_000 * MILLI;

    private HistoryScript() {}

    static History history(String lines) {
        return History.of(lines.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(HistoryScript::event)
                .toList());
    }

    private static Event event(String line) {
        List<String> words = List.of(line.split(" +"));
        List<String> who = List.of(words.get(1).split("#"));
        Event.Kind kind = Event.Kind.valueOf(words.get(2));
        long number = words.size() > 3 ? number(words.get(3)) : 0;
        boolean time = kind == Event.Kind.DEADLINE || kind == Event.Kind.LOST;
        boolean attempt = who.size() > 1;
        return new Event(
                START + (long) (Double.parseDouble(words.get(0)) * MILLI),
                kind,
                who.get(0),
                attempt ? Long.parseLong(who.get(1)) : 0,
                attempt || kind == Event.Kind.TOTAL ? "L" : "",
                time ? START + number * MILLI : number,
                words.size() > 4 ? Event.REST + words.get(4) : "");
    }

    /** Also a mode: {@code reading}, {@code writing} or such as {@code 2/3} for permits. */
    private static long number(String word) {
        List<String> share = List.of(word.split("/"));
        if (share.size() > 1) {
            return LockMode.permits(Integer.parseInt(share.get(0)), Integer.parseInt(share.get(1)))
                    .number();
        }
        return switch (word) {
            case "reading" -> LockMode.READ.number();
            case "writing" -> LockMode.WRITE.number();
            default -> Long.parseLong(word);
        };
    }
}
