package io.hasp.redis.redlock;

import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.HolderId;
import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Majority, scripts and clock, on which the safety of a lock depends. A test can replace each by a wrong one.
 *
 * @param quorum the number of nodes that decide
 * @param scripts the scripts that each node runs
 * @param timing the clock of the leases
 */
public record RedlockProtocol(Quorum quorum, RedlockScripts scripts, Timing timing) {

    long now() {
        return timing.nanoTime();
    }

    /**
     * Releases a holder on some nodes. A node that does not answer gets the release as soon as it answers again, if it may have something
     * of the holder. A node that had closed the socket gets it at once. A node that answers with an error does not get it again: a retry
     * would not help, and the grant ends with its lease.
     */
    public NodeReplies release(
            NodeSockets sockets,
            List<String> keys,
            HolderId holder,
            BitSet nodes,
            IntPredicate knows,
            boolean tombstone,
            Predicate<NodeReplies> enough) {
        NodeReplies replies = new NodeReplies(quorum.nodes(), nodes, () -> {});
        return release(sockets, keys, List.of(holder.value(), tombstone ? "1" : "0", "0"), replies, knows, enough);
    }

    /** Releases a holder on some nodes, with a tombstone, and waits for none. Runs the task when nothing of this is under way any more. */
    void bury(NodeSockets sockets, List<String> keys, HolderId holder, BitSet nodes, Runnable then) {
        NodeReplies replies = new NodeReplies(quorum.nodes(), nodes, () -> {});
        replies.onAnswer(node -> {
            if (replies.complete()) {
                then.run();
            }
        });
        release(sockets, keys, List.of(holder.value(), "1", "0"), replies, node -> true, sent -> true);
    }

    /**
     * Gives back the grants of an attempt that is over, and no place in a queue.
     *
     * @param place ticket, channel and label of a waiter, whose grants go to the first of the queue; or empty
     */
    NodeReplies drop(
            NodeSockets sockets,
            List<String> keys,
            HolderId holder,
            List<String> place,
            BitSet nodes,
            IntConsumer answered,
            Predicate<NodeReplies> enough) {
        NodeReplies replies = new NodeReplies(quorum.nodes(), nodes, () -> {});
        replies.onAnswer(answered);
        List<String> request = new ArrayList<>(List.of(holder.value(), "0", "1"));
        request.addAll(place);
        return release(sockets, keys, request, replies, node -> true, enough);
    }

    private NodeReplies release(
            NodeSockets sockets,
            List<String> keys,
            List<String> request,
            NodeReplies replies,
            IntPredicate knows,
            Predicate<NodeReplies> enough) {
        String holder = request.get(0);
        ScriptCall late = new ScriptCall(scripts.release(), keys, List.of(holder, "1", "0"));
        replies.onFailure((node, why) -> {
            if (knows.test(node)) {
                sockets.node(node).resendLater(holder, late, why);
            }
        });
        return sockets.ask(new ScriptCall(scripts.release(), keys, request), late, replies, enough);
    }
}
