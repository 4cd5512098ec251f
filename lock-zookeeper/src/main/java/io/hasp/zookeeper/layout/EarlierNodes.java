package io.hasp.zookeeper.layout;

import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The nodes before one that asks for a share, as a listing showed them. Immutable; keeps only those that are to be watched. */
public final class EarlierNodes {
    /** No more are watched at once. */
    public static final int MOST_WATCHED = 256;

    private final Share asked;
    private final long weight;
    private final List<NodeName> toWatch;

    /**
     * For an asking node.
     *
     * @param nearestFirst the nodes, the last one before the asking node first
     * @param asked what is asked for
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
     * The same after some of those that are watched were deleted. A deletion only shows that the node weighs less: its holder may have
     * given back a part, and have a lighter node in the same place.
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
     * The nodes to be watched: a single one if one leaves no room. Otherwise the nearest ones of twice the weight that leaves no room: as
     * many as have room at once may go before the others have to be listed again. So a writer watches its predecessor, a reader the last
     * writer, a waiter for 1 of N the 2 N nearest.
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
