package io.hasp.zookeeper.layout;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The order of the nodes in a lock's folder, which is the queue of the lock. Pure functions. Names are parsed by hand: each
 * listing delays the next holder, mostly in a JVM that has not compiled the code yet.
 *
 * <p>A node of Hasp ends with {@code -<holder>-<sequence>}, see {@link NodeName}: the sequence in the ten digits that ZooKeeper appends.
 * Everything else in the folder is foreign and ignored. The order is that of the sequence, which ZooKeeper gives out in the order of
 * creation as long as the folder exists; it exists as long as it has children. At {@value #LAST_SEQUENCE} the sequence sticks (or turns
 * negative for a moment), and no longer shows the order.
 */
public final class NodeOrder {
    public static final long LAST_SEQUENCE = Integer.MAX_VALUE;

    /** The number of digits that ZooKeeper appends. */
    public static final int DIGITS = 10;

    /** A dash before a smaller number belongs to the holder id; before a larger one it is the sign of an overflow. */
    static final long MIN_OVERFLOW = 2_000_000_000L;

    private NodeOrder() {}

    /** The position of a node. */
    public sealed interface Position {
        /** No node is before it: the holder's. */
        record First() implements Position {}

        /**
         * The predecessor is before it, and other nodes unless {@code onlyOneBefore}. If {@code allKeep}, all of them are of clients that
         * may keep the lock.
         */
        record Behind(String predecessor, boolean onlyOneBefore, boolean allKeep) implements Position {}

        /** The node is behind a node of a shared lock. */
        record BehindShared(Behind nearest) implements Position {}

        /** The node is not in the folder. */
        record Missing() implements Position {}

        /** The sequence is used up, so the order is unknown. */
        record Exhausted() implements Position {}
    }

    /** The position of a node of an exclusive lock. */
    public static Position position(List<String> children, String own) {
        long mine = sequence(own);
        boolean present = false;
        String predecessor = "";
        long nearest = -1;
        int before = 0;
        boolean behindShared = false;
        boolean allKeep = true;
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
            behindShared |= NodeName.isShared(child);
            allKeep &= NodeName.keeps(child);
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
        if (before == 0) {
            return new Position.First();
        }
        Position.Behind behind = new Position.Behind(predecessor, before == 1, allKeep);
        return behindShared ? new Position.BehindShared(behind) : behind;
    }

    /** The node of a holder, if it is among the children, by its {@linkplain NodeName#id id}. */
    public static Optional<String> find(List<String> children, String holder) {
        String id = holder + "-";
        return children.stream()
                .filter(child -> {
                    int start = NodeName.holderStart(child);
                    return start > 0 && child.startsWith(id, start) && isSequence(child, start + id.length());
                })
                .findFirst();
    }

    private static boolean isSequence(String child, int from) {
        int sign = from < child.length() && child.charAt(from) == '-' ? 1 : 0;
        return child.length() == from + sign + DIGITS && parseNumber(child, from + sign, child.length()) >= 0;
    }

    /** True if a holder or waiter is behind the node with this sequence. */
    public static boolean anyBehind(List<String> children, long sequence) {
        return children.stream().anyMatch(child -> sequence(child) > sequence);
    }

    /** The first of all holders and waiters. */
    public static Optional<String> first(List<String> children) {
        return children.stream()
                .filter(child -> sequence(child) >= 0)
                .min(Comparator.comparingLong(NodeOrder::sequence));
    }

    /** True if a holder or waiter is before the node with this sequence. */
    static boolean anyBefore(List<String> children, long sequence) {
        return children.stream().mapToLong(NodeOrder::sequence).anyMatch(theirs -> theirs >= 0 && theirs < sequence);
    }

    /** Returns the sequence of a node of Hasp, a negative sequence as {@link #LAST_SEQUENCE}; −1 for a foreign node. */
    public static long sequence(String child) {
        int dash = child.length() - DIGITS - 1;
        int holder = NodeName.holderStart(child);
        if (holder < 0 || dash <= holder || child.charAt(dash) != '-' || !isHolder(child, holder, dash)) {
            return -1;
        }
        long digits = parseNumber(child, dash + 1, child.length());
        boolean negative = digits >= MIN_OVERFLOW && dash > holder && child.charAt(dash - 1) == '-';
        return negative ? LAST_SEQUENCE : Math.min(digits, LAST_SEQUENCE);
    }

    /** The number that ZooKeeper appended to the name of any sequential child; −1 if the name ends otherwise. */
    static long appended(String child) {
        int start = child.length() - DIGITS;
        return start < 0 ? -1 : parseNumber(child, start, child.length());
    }

    private static boolean isHolder(String child, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = child.charAt(i);
            if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && c != '-') {
                return false;
            }
        }
        return true;
    }

    /** A number of at most 19 plain digits; −1 if there are other characters or it is too large. */
    static long parseNumber(String text, int from, int to) {
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
