package io.hasp.zookeeper.layout;

import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The positions of nodes at a lock that several share. Pure functions.
 *
 * <p>A node is entitled if the weights of the nodes before it and its own are at most the capacity. Nodes before it only go, so
 * an entitled node stays entitled, and a listing that is out of date shows too many nodes, never too few.
 *
 * <p>The kind of a name is that of the first node in the folder. A node of another kind is withdrawn when its client lists the folder.
 * Until then it may be seen behind the first node: later nodes wait for its end, as behind a node that takes the whole lock.
 */
public final class SharedOrder {
    private SharedOrder() {}

    /** The position of a node. */
    public sealed interface Position {
        /** The node has its share of the lock. */
        record Entitled() implements Position {}

        /** The nodes before it are too heavy. */
        record Behind(EarlierNodes earlier) implements Position {}

        /** The first node is of another kind. */
        record OtherKind(int capacity) implements Position {}

        /** The node is not in the folder. */
        record Missing() implements Position {}

        /** The sequence is used up, so the order is unknown. */
        record Exhausted() implements Position {}
    }

    public static Position position(List<String> children, NodeName own) {
        List<NodeName> before = new ArrayList<>();
        boolean present = false;
        for (String child : children) {
            if (child.equals(own.text())) {
                present = true;
                continue;
            }
            NodeName name = NodeName.parse(child);
            if (name != null && name.sequence() == own.sequence()) {
                return new Position.Exhausted();
            }
            if (name != null && name.sequence() < own.sequence()) {
                before.add(name);
            }
        }
        if (!present) {
            return new Position.Missing();
        }
        return own.sequence() >= NodeOrder.LAST_SEQUENCE ? new Position.Exhausted() : behind(before, own.share());
    }

    private static Position behind(List<NodeName> before, Share share) {
        before.sort(Comparator.comparingLong(NodeName::sequence).reversed());
        if (!before.isEmpty()) {
            int capacity = before.get(before.size() - 1).share().capacity();
            if (capacity != share.capacity()) {
                return new Position.OtherKind(capacity);
            }
        }
        EarlierNodes earlier = new EarlierNodes(before, share);
        return earlier.leaveRoom() ? new Position.Entitled() : new Position.Behind(earlier);
    }

    /**
     * True if a reader's node is among the children and only readers came after it, so that another reader may share its place. A later
     * token floor makes this false: the floor has to be below the next token.
     */
    public static boolean onlyReadersSince(List<String> children, NodeName own) {
        boolean present = false;
        for (String child : children) {
            NodeName name = NodeName.parse(child);
            if (name != null
                    && name.sequence() >= own.sequence()
                    && !name.share().equals(Share.READ)) {
                return false;
            }
            present |= child.equals(own.text());
        }
        return present
                && own.sequence() < NodeOrder.LAST_SEQUENCE
                && TokenFloorNode.parseAll(children).stream().allMatch(floor -> floor.sequence() < own.sequence());
    }

    /** True if later readers may join an existing node and so get its token, now or once the writers behind it are gone. */
    public static boolean mayBeJoined(List<String> children) {
        return children.stream()
                .map(NodeName::parse)
                .anyMatch(node -> node != null
                        && node.share().equals(Share.READ)
                        && !TokenFloorNode.anyAfter(node.text(), children));
    }

    /**
     * Returns the capacity of the first node, which is the present kind of the name. Without a node it is the capacity of an exclusive
     * lock.
     */
    public static int firstCapacity(List<String> children) {
        NodeName first = null;
        for (String child : children) {
            NodeName name = NodeName.parse(child);
            if (name != null && (first == null || name.sequence() < first.sequence())) {
                first = name;
            }
        }
        return first == null ? 1 : first.share().capacity();
    }
}
