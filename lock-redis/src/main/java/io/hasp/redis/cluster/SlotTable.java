package io.hasp.redis.cluster;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.server.NodeConnection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The node of each slot, as far as this client knows, and the connections to the nodes. Thread-safe; never blocks. */
final class SlotTable {
    private final NodeConnection.Connector connector;
    private final AtomicReferenceArray<@Nullable ClusterNode> owners = new AtomicReferenceArray<>(Slot.COUNT);
    /** These three are guarded by this. */
    private final Map<Address, ClusterNode> nodes = new HashMap<>();

    private long epoch;
    private boolean closed;

    SlotTable(NodeConnection.Connector connector) {
        this.connector = connector;
    }

    /**
     * The differences between a new table and the former one.
     *
     * @param joined nodes that had no slots before
     * @param left nodes that have none any more
     * @param lost the slots of the nodes that left: they are now at other nodes, which may have fewer grants
     * @param unheard whether slots moved to nodes without a subscription yet
     */
    record Change(List<ClusterNode> joined, List<ClusterNode> left, BitSet lost, boolean unheard) {}

    /** Null for a slot whose node is unknown. */
    @Nullable
    ClusterNode owner(int slot) {
        return owners.get(slot);
    }

    /** The node at an address; a new one has no slots yet. */
    synchronized ClusterNode node(Address address) {
        ClusterNode node = nodes.computeIfAbsent(
                address, where -> new ClusterNode(where, connector.connect(where.host(), where.port())));
        if (closed) {
            node.close();
        }
        return node;
    }

    /** All nodes that have slots. */
    synchronized Set<ClusterNode> masters() {
        Set<ClusterNode> masters = new HashSet<>();
        for (int slot = 0; slot < Slot.COUNT; slot++) {
            ClusterNode owner = owners.get(slot);
            if (owner != null) {
                masters.add(owner);
            }
        }
        return masters;
    }

    /** A slot that the node has, or none, -1. */
    int slotOf(ClusterNode node) {
        for (int slot = 0; slot < Slot.COUNT; slot++) {
            if (owners.get(slot) == node) {
                return slot;
            }
        }
        return -1;
    }

    /** True if this table is newer than the answer. */
    synchronized boolean isAhead(Topology answer) {
        return epoch > answer.epoch();
    }

    /** Takes over an answer. A node that has lost all its slots was replaced; slots of one that has others were moved, with all in them. */
    synchronized Change take(Topology answer) {
        Set<ClusterNode> before = masters();
        @Nullable ClusterNode[] former = new ClusterNode[Slot.COUNT];
        boolean unheard = false;
        for (Topology.Range range : answer.ranges()) {
            ClusterNode master = node(range.master());
            for (int slot = range.first(); slot <= range.last(); slot++) {
                former[slot] = owners.getAndSet(slot, master);
                unheard |= former[slot] != null && former[slot] != master && !master.live();
            }
        }
        epoch = answer.epoch();
        Set<ClusterNode> now = masters();
        List<ClusterNode> joined = new ArrayList<>(now);
        joined.removeAll(before);
        List<ClusterNode> left = new ArrayList<>(before);
        left.removeAll(now);
        BitSet lost = new BitSet(Slot.COUNT);
        for (int slot = 0; slot < Slot.COUNT; slot++) {
            if (left.contains(former[slot])) {
                lost.set(slot);
            }
        }
        left.forEach(node -> nodes.remove(node.address));
        return new Change(joined, left, lost, unheard);
    }

    /** Ends all connections. */
    void close() {
        List<ClusterNode> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(nodes.values());
        }
        ExceptionSafe.forEach(all, ClusterNode::close);
    }
}
