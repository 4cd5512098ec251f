package io.hasp.zookeeper;

import io.hasp.spi.HolderId;
import java.util.List;
import java.util.Optional;

/**
 * Who stands where among the children of a lock's folder. Pure. Names are read by hand: each listing is on the way of
 * whoever gets the lock next, mostly in a JVM that has not compiled it yet.
 *
 * <p>A child of ours is {@code x-<holder>-<sequence>}: {@code x} for the exclusive kind, the sequence in the ten digits that
 * ZooKeeper appends. Everything else in the folder is foreign and ignored. The order is that of the sequence, which ZooKeeper
 * gives out in the order of creation as long as the folder lives; it lives as long as it has children. At
 * {@value #LAST_SEQUENCE} the sequence sticks (or turns negative for a moment), and no order can be told from it any more.
 */
final class Line {
    static final long LAST_SEQUENCE = Integer.MAX_VALUE;

    /** How many of them ZooKeeper appends. */
    static final int DIGITS = 10;

    private static final String KIND = "x-";
    /** A holder id may end with a dash as well; nobody overflows by more than this. */
    static final long LEAST_OVERFLOW = 2_000_000_000L;

    private Line() {}

    /** Where a node stands. */
    sealed interface Position {
        /** Nobody is before it. */
        record First() implements Position {}

        /** Somebody is; {@code lowest} if only that one is. */
        record Behind(String predecessor, boolean lowest) implements Position {}

        /** It is not in the folder. */
        record Missing() implements Position {}

        /** The sequence is used up, so that the order can't be told. */
        record Exhausted() implements Position {}
    }

    /** How the node of a holder begins, before ZooKeeper appends the sequence. */
    static String prefix(HolderId holder) {
        return KIND + holder.value() + "-";
    }

    static Position position(List<String> children, String own) {
        long mine = sequence(own);
        boolean present = false;
        String predecessor = "";
        long nearest = -1;
        int before = 0;
        for (String child : children) {
            if (child.equals(own)) {
                present = true;
                continue;
            }
            long theirs = sequence(child);
            if (theirs < 0 || theirs > mine) {
                continue;
            }
            if (theirs == mine) {
                return new Position.Exhausted();
            }
            before++;
            if (theirs > nearest) {
                nearest = theirs;
                predecessor = child;
            }
        }
        if (!present) {
            return new Position.Missing();
        }
        if (mine < 0 || mine >= LAST_SEQUENCE) {
            return new Position.Exhausted();
        }
        return before == 0 ? new Position.First() : new Position.Behind(predecessor, before == 1);
    }

    /** The node of a holder, if it is among the children. */
    static Optional<String> find(List<String> children, HolderId holder) {
        String own = prefix(holder);
        return children.stream()
                .filter(child -> child.startsWith(own) && isSequence(child, own.length()))
                .findFirst();
    }

    private static boolean isSequence(String child, int from) {
        int sign = from < child.length() && child.charAt(from) == '-' ? 1 : 0;
        return child.length() == from + sign + DIGITS && number(child, from + sign, child.length()) >= 0;
    }

    /** Whether a holder or waiter is there that came before the node with this sequence. */
    static boolean anyBefore(List<String> children, long sequence) {
        return children.stream().mapToLong(Line::sequence).anyMatch(theirs -> theirs >= 0 && theirs < sequence);
    }

    /** The sequence of one of our nodes, a negative one as {@link #LAST_SEQUENCE}; −1 for a foreign node. */
    static long sequence(String child) {
        int dash = child.length() - DIGITS - 1;
        if (dash <= KIND.length() || !child.startsWith(KIND) || child.charAt(dash) != '-' || !isHolder(child, dash)) {
            return -1;
        }
        long digits = number(child, dash + 1, child.length());
        boolean negative = digits >= LEAST_OVERFLOW && dash > KIND.length() && child.charAt(dash - 1) == '-';
        return negative ? LAST_SEQUENCE : Math.min(digits, LAST_SEQUENCE);
    }

    private static boolean isHolder(String child, int end) {
        for (int i = KIND.length(); i < end; i++) {
            char c = child.charAt(i);
            if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && c != '-') {
                return false;
            }
        }
        return true;
    }

    /** The number that at most 19 characters write in plain digits; −1 if they don't, or if it is too large. */
    static long number(String text, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number < 0 ? -1 : number;
    }
}
