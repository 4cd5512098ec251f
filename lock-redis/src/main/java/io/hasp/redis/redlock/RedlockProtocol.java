package io.hasp.redis.redlock;

import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.HolderId;
import io.hasp.spi.Timing;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * What decides about a lock: majority, scripts and clock; each can be replaced by a wrong one in a test.
 *
 * @param quorum how many nodes decide
 * @param scripts what each of them does
 * @param timing the clock of the leases
 */
public record RedlockProtocol(Quorum quorum, RedlockScripts scripts, Timing timing) {

    long now() {
        return timing.nanoTime();
    }

    /**
     * Releases a holder on some nodes. A node that does not answer gets the release as soon as it does again, if it may know of
     * the holder; so does one that had closed the socket, at once. One that answers with an error does not: trying again would not help, and the grant ends with its lease.
     */
    public NodeReplies release(
            NodeSockets sockets,
            List<String> keys,
            HolderId holder,
            BitSet nodes,
            IntPredicate knows,
            boolean tombstone,
            boolean drop,
            Predicate<NodeReplies> enough) {
        List<String> request = List.of(holder.value(), tombstone ? "1" : "0", drop ? "1" : "0");
        ScriptCall late = new ScriptCall(scripts.release(), keys, List.of(holder.value(), "1", "0"));
        NodeReplies replies = new NodeReplies(quorum.nodes(), nodes, () -> {});
        replies.onFailure((node, why) -> {
            if (knows.test(node)) {
                sockets.node(node).resendLater(holder.value(), late, why);
            }
        });
        return sockets.ask(new ScriptCall(scripts.release(), keys, request), late, replies, enough);
    }
}
