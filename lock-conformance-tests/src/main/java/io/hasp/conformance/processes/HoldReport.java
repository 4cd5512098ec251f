package io.hasp.conformance.processes;

import java.util.ArrayList;
import java.util.List;

/**
 * A hold as its client process reports it.
 *
 * @param number its number
 * @param lock the lock
 * @param token its fencing token, 0 for none
 * @param believed whether the client believes that it holds the lock
 * @param at when it was asked, on {@link System#nanoTime}
 */
public record HoldReport(long number, String lock, long token, boolean believed, long at) {
    private static final int FIELDS = 5;

    static List<HoldReport> all(Message answer) {
        List<HoldReport> all = new ArrayList<>();
        for (int i = 0; i < answer.arguments().size(); i += FIELDS) {
            all.add(new HoldReport(
                    answer.number(i),
                    answer.text(i + 1),
                    answer.number(i + 2),
                    Boolean.parseBoolean(answer.text(i + 3)),
                    answer.number(i + 4)));
        }
        return all;
    }
}
