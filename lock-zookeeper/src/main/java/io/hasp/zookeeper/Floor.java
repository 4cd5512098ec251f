package io.hasp.zookeeper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A token floor: a persistent child {@code floor-<offset>-<sequence>} of a lock's folder, found by the listing that every
 * holder asks for anyway. The offset is added to the transaction id of the holders that came after it, so that all listings
 * tell the same of a holder, whenever they are made, and tokens stay in order.
 *
 * @param node its name in the folder
 * @param offset what to add; a child with an offset that no token could be above is not one of ours
 * @param sequence when it came; the last one for a negative number, which ZooKeeper gives out where the sequence ends
 */
record Floor(String node, long offset, long sequence) {
    private static final String KIND = "floor-";
    private static final int MOST_DIGITS = 19;

    /** How its node begins, before ZooKeeper appends the sequence. */
    static String prefix(long offset) {
        return KIND + offset + "-";
    }

    static List<Floor> among(List<String> children) {
        List<Floor> floors = new ArrayList<>(0);
        for (String child : children) {
            Floor floor = of(child);
            if (floor != null) {
                floors.add(floor);
            }
        }
        return floors;
    }

    private static @Nullable Floor of(String child) {
        int dash = child.length() - Line.DIGITS - 1;
        if (!child.startsWith(KIND)
                || dash <= KIND.length()
                || dash > KIND.length() + MOST_DIGITS
                || child.charAt(dash) != '-') {
            return null;
        }
        boolean negative = child.charAt(dash - 1) == '-';
        int end = negative ? dash - 1 : dash;
        long offset = end == KIND.length() ? -1 : Line.number(child, KIND.length(), end);
        long digits = Line.number(child, dash + 1, child.length());
        if (offset < 0 || offset >= Answers.TOKENS_END || digits < (negative ? Line.LEAST_OVERFLOW : 0)) {
            return null;
        }
        return new Floor(child, offset, negative ? Line.LAST_SEQUENCE : digits);
    }

    /** The largest offset so far; zero if there is none. */
    static long offset(List<String> children) {
        return highest(children).map(Floor::offset).orElse(0L);
    }

    private static Optional<Floor> highest(List<String> children) {
        return among(children).stream().max(Comparator.comparingLong(Floor::offset));
    }

    /** What is to be added to the transaction id of a holder. */
    static long under(String holder, List<String> children) {
        List<Floor> floors = among(children);
        if (floors.isEmpty()) {
            return 0;
        }
        long mine = Line.sequence(holder);
        return floors.stream()
                .filter(floor -> floor.sequence() < mine)
                .mapToLong(Floor::offset)
                .max()
                .orElse(0);
    }

    /** The lower ones, once everybody in the folder came after the highest. */
    static List<Floor> outdated(List<String> children) {
        return highest(children)
                .filter(highest -> !Line.anyBefore(children, highest.sequence()))
                .map(highest -> among(children).stream()
                        .filter(floor -> floor.offset() < highest.offset() && floor.sequence() < highest.sequence())
                        .toList())
                .orElse(List.of());
    }
}
