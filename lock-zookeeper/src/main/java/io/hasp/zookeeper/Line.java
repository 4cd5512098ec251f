package io.hasp.zookeeper;

import io.hasp.spi.HolderId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who stands where among the children of a lock's folder. Pure.
 *
 * <p>A child of ours is {@code x-<holder>-<sequence>}: {@code x} for the exclusive kind, the sequence in the ten digits that
 * ZooKeeper appends. Everything else in the folder is foreign and ignored. The order is that of the sequence, which ZooKeeper
 * gives out in the order of creation as long as the folder lives; it lives as long as it has children. At
 * {@value #LAST_SEQUENCE} the sequence sticks (or turns negative for a moment), and no order can be told from it any more.
 */
final class Line {
    static final long LAST_SEQUENCE = Integer.MAX_VALUE;

    private static final String KIND = "x-";
    /** A holder id may end with a dash as well; nobody overflows by more than this. */
    private static final long LEAST_OVERFLOW = 2_000_000_000L;

    private static final Pattern OURS = Pattern.compile(KIND + "[A-Za-z0-9-]*?(-?)-(\\d{10})");

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
        Pattern own = Pattern.compile(Pattern.quote(prefix(holder)) + "-?\\d{10}");
        return children.stream().filter(own.asMatchPredicate()).findFirst();
    }

    /** Whether a holder or waiter is there that came before the node with this sequence. */
    static boolean anyBefore(List<String> children, long sequence) {
        return children.stream().mapToLong(Line::sequence).anyMatch(theirs -> theirs >= 0 && theirs < sequence);
    }

    /** The sequence of one of our nodes, a negative one as {@link #LAST_SEQUENCE}; −1 for a foreign node. */
    static long sequence(String child) {
        Matcher ours = OURS.matcher(child);
        if (!ours.matches()) {
            return -1;
        }
        long digits = Long.parseLong(ours.group(2));
        boolean negative = !ours.group(1).isEmpty() && digits >= LEAST_OVERFLOW;
        return negative ? LAST_SEQUENCE : Math.min(digits, LAST_SEQUENCE);
    }
}
