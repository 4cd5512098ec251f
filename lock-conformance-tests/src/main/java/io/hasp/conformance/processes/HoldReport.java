package io.hasp.conformance.processes;

import java.util.ArrayList;
import java.util.List;

/**
 * A hold in the report of its client process.
 *
 * @param number the hold's number
 * @param lock the lock's name
 * @param token its fencing token, 0 for none
 * @param believed true if the client considers the lock held
 * @param at the moment of the look, on {@link System#nanoTime}
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
