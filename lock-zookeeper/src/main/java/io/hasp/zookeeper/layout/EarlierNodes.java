package io.hasp.zookeeper.layout;

import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The nodes before a node that waits for a share, from one listing. Immutable; keeps only the nodes to watch. */
public final class EarlierNodes {
    /** The most nodes that are watched at once. */
    public static final int MOST_WATCHED = 256;

    private final Share asked;
    private final long weight;
    private final List<NodeName> toWatch;

    /**
     * Finds the nodes to watch for a node that waits.
     *
     * @param nearestFirst the earlier nodes, the nearest first
     * @param asked the requested share
     */
    public EarlierNodes(List<NodeName> nearestFirst, Share asked) {
        this.asked = asked;
        this.weight = weight(nearestFirst);
        this.toWatch = chooseFrom(nearestFirst);
    }

    private long weight(Collection<NodeName> nodes) {
        long sum = 0;
        for (NodeName node : nodes) {
            sum += weight(node);
        }
        return sum;
    }

    /** A node of another kind counts as the whole lock. */
    private int weight(NodeName node) {
        return node.share().capacity() == asked.capacity() ? node.share().weight() : asked.capacity();
    }

    /** True if these nodes leave room for the asking node. */
    boolean leaveRoom() {
        return weight + asked.weight() <= asked.capacity();
    }

    /**
     * Returns true if the earlier nodes leave room after some watched nodes were deleted. A deletion only shows that the node weighs less:
     * its holder may have given back a part, and have a lighter node in the same place.
     */
    public boolean leaveRoomAfter(Collection<NodeName> deleted) {
        long left = weight + asked.weight();
        for (NodeName node : deleted) {
            left -= weight(node) - mostAfterDeletion(node);
        }
        return left <= asked.capacity();
    }

    /** A writer becomes a reader and nothing else. Of a node of another kind, its deletion shows nothing. */
    private int mostAfterDeletion(NodeName node) {
        if (node.share().capacity() != asked.capacity()) {
            return asked.capacity();
        }
        return node.share().equals(Share.WRITE)
                ? Share.READ.weight()
                : node.share().weight() - 1;
    }

    /** True if these nodes alone leave no room, even if all others leave. */
    public boolean blockedBy(Collection<NodeName> present) {
        return leavesNoRoom(weight(present));
    }

    private boolean leavesNoRoom(long taken) {
        return taken > asked.capacity() - asked.weight();
    }

    /**
     * Returns the nodes to watch: a single node if that one leaves no room. Otherwise the nearest nodes with twice the weight that leaves
     * no room. Half of them may go before the folder has to be listed again. So a writer watches its predecessor, a reader the last writer,
     * a waiter for 1 of N the 2 N nearest.
     */
    public List<NodeName> toWatch() {
        return toWatch;
    }

    private List<NodeName> chooseFrom(List<NodeName> nearestFirst) {
        for (NodeName node : nearestFirst) {
            if (leavesNoRoom(weight(node))) {
                return List.of(node);
            }
        }
        List<NodeName> watched = new ArrayList<>();
        long taken = 0;
        for (NodeName node : nearestFirst) {
            if (leavesNoRoom(taken - asked.capacity()) || watched.size() == MOST_WATCHED) {
                break;
            }
            watched.add(node);
            taken += weight(node);
        }
        return watched;
    }
}
