package io.hasp.zookeeper.layout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The holders and waiters of a lock, from a listing of its folder. A holder is a node that has its share by {@link NodeOrder#position} or
 * {@link SharedOrder#position}: the first nodes, until one does not fit. Immutable.
 *
 * @param holders in the order of the queue
 * @param waiters in the order of the queue
 */
public record LockQueue(List<NodeName> holders, List<NodeName> waiters) {

    public static LockQueue of(List<String> children) {
        List<NodeName> nodes = new ArrayList<>();
        for (String child : children) {
            NodeName node = NodeName.parse(child);
            if (node != null) {
                nodes.add(node);
            }
        }
        nodes.sort(Comparator.comparingLong(NodeName::sequence));
        int holders = holders(nodes);
        return new LockQueue(List.copyOf(nodes.subList(0, holders)), List.copyOf(nodes.subList(holders, nodes.size())));
    }

    /** Weights only add up: behind a node that does not fit there is no holder. */
    private static int holders(List<NodeName> nodes) {
        long taken = 0;
        for (int i = 0; i < nodes.size(); i++) {
            NodeName node = nodes.get(i);
            taken += node.share().weight();
            if (taken > node.share().capacity()
                    || node.share().capacity() != nodes.get(0).share().capacity()
                    || node.sequence() >= NodeOrder.LAST_SEQUENCE
                    || sameSequence(nodes, i)) {
                return i;
            }
        }
        return nodes.size();
    }

    private static boolean sameSequence(List<NodeName> nodes, int i) {
        long sequence = nodes.get(i).sequence();
        return (i > 0 && nodes.get(i - 1).sequence() == sequence)
                || (i + 1 < nodes.size() && nodes.get(i + 1).sequence() == sequence);
    }

    public boolean isEmpty() {
        return holders.isEmpty() && waiters.isEmpty();
    }

    /** False for a node that its client withdraws, because the name is a lock of another kind at present. */
    public boolean isOfItsKind(NodeName node) {
        return node.share().capacity() == capacity();
    }

    /** The capacity that the lock has at present, that of its first node. */
    public int capacity() {
        return (holders.isEmpty() ? waiters : holders).get(0).share().capacity();
    }
}
