package io.hasp.zookeeper.layout;

import io.hasp.spi.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node of a token floor: a persistent child {@code floor-<offset>-<sequence>} of a lock's folder, found by the listing that
 * every holder makes anyway. The offset is added to the transaction ids of the holders that came after it. So every listing gives
 * a holder the same token, whenever it is made, and tokens stay in order.
 *
 * @param name its name in the folder
 * @param offset the number to add; a child whose offset leaves no room for tokens is foreign
 * @param sequence its position in the order of creation; {@link NodeOrder#LAST_SEQUENCE} for a negative number, which ZooKeeper
 *     appends where the sequence ends
 */
public record TokenFloorNode(String name, long offset, long sequence) {
    private static final String PREFIX = "floor-";
    private static final int MAX_DIGITS = 19;

    /** The name before ZooKeeper appends the sequence. */
    public static String prefix(long offset) {
        return PREFIX + offset + "-";
    }

    public static List<TokenFloorNode> parseAll(List<String> children) {
        List<TokenFloorNode> floors = new ArrayList<>(0);
        for (String child : children) {
            TokenFloorNode floor = parse(child);
            if (floor != null) {
                floors.add(floor);
            }
        }
        return floors;
    }

    private static @Nullable TokenFloorNode parse(String child) {
        int dash = child.length() - NodeOrder.DIGITS - 1;
        if (!child.startsWith(PREFIX)
                || dash <= PREFIX.length()
                || dash > PREFIX.length() + MAX_DIGITS
                || child.charAt(dash) != '-') {
            return null;
        }
        boolean negative = child.charAt(dash - 1) == '-';
        int end = negative ? dash - 1 : dash;
        long offset = end == PREFIX.length() ? -1 : NodeOrder.parseNumber(child, PREFIX.length(), end);
        long digits = NodeOrder.parseNumber(child, dash + 1, child.length());
        if (offset < 0 || offset >= Grant.TOKEN_LIMIT || digits < (negative ? NodeOrder.MIN_OVERFLOW : 0)) {
            return null;
        }
        return new TokenFloorNode(child, offset, negative ? NodeOrder.LAST_SEQUENCE : digits);
    }

    /** The largest offset so far; zero if there is none. */
    public static long highestOffset(List<String> children) {
        return highest(children).map(TokenFloorNode::offset).orElse(0L);
    }

    private static Optional<TokenFloorNode> highest(List<String> children) {
        return parseAll(children).stream()
                .max(Comparator.comparingLong(TokenFloorNode::offset).thenComparingLong(TokenFloorNode::sequence));
    }

    /** Returns true if a floor came after the node of this name. */
    public static boolean anyAfter(String node, List<String> children) {
        long sequence = NodeOrder.sequence(node);
        return parseAll(children).stream().anyMatch(floor -> floor.sequence() > sequence);
    }

    /** The offset to add to the transaction id of a holder, given the name of its node. */
    public static long offsetFor(String holder, List<String> children) {
        List<TokenFloorNode> floors = parseAll(children);
        if (floors.isEmpty()) {
            return 0;
        }
        long mine = NodeOrder.sequence(holder);
        return floors.stream()
                .filter(floor -> floor.sequence() < mine)
                .mapToLong(TokenFloorNode::offset)
                .max()
                .orElse(0);
    }

    /** Returns the floors that no node in the folder needs: all but the latest of the highest floors, once every node came after it. */
    public static List<TokenFloorNode> outdated(List<String> children) {
        return highest(children)
                .filter(highest -> !NodeOrder.anyBefore(children, highest.sequence()))
                .map(highest -> parseAll(children).stream()
                        .filter(floor -> floor.sequence() < highest.sequence())
                        .toList())
                .orElse(List.of());
    }
}
