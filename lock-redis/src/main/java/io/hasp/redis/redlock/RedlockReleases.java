package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** Releases holders on all nodes, and judges by their replies whether the lock was held. Thread-safe. */
public record RedlockReleases(RedlockProtocol redlock, LockKeys keys, HolderRegistry holders) {

    private static final String MORE = "+";
    /** Ten thousand dead waiters. */
    private static final int MOST_RELEASES = 100;

    /** Releases a holder on every node that may have something of it. Waits until enough nodes have replied. */
    public NodeReplies send(NodeSockets sockets, LockName name, HolderId holder, Predicate<NodeReplies> enough) {
        HolderState mine = holders.find(holder.value());
        if (mine != null) {
            mine.releases();
        }
        boolean tombstone = holders.mayStillArrive(holder);
        IntPredicate knows = mine == null ? node -> true : mine::reached;
        NodeReplies first =
                redlock.release(sockets, keys.all(name, holder), holder, sockets.all(), knows, tombstone, enough);
        serve(sockets, name, holder, first);
        return first;
    }

    /** Ends the grant of a holder of any client. A node that does not answer ends it as soon as it is back. */
    boolean remove(NodeSockets sockets, LockName name, HolderId holder) {
        NodeReplies first = redlock.release(
                sockets, keys.all(name, holder), holder, sockets.all(), node -> true, true, this::known);
        serve(sockets, name, holder, first);
        return outcome(name, first) == Released.RELEASED;
    }

    /**
     * Ends a holder on nodes where a request of it may still arrive. Waits for no reply, but the holder stays known until all have replied:
     * on another socket its next request could overtake this release, which would end the new grant.
     */
    public void bury(NodeSockets sockets, LockName name, HolderId holder, HolderState mine) {
        BitSet nodes = mine.unsettled();
        if (nodes.isEmpty()) {
            holders.forget(holder);
        } else {
            mine.releases();
            redlock.bury(sockets, keys.all(name, holder), holder, nodes, () -> holders.forget(holder));
        }
    }

    /** Releases again where a node has more dead waiters than one script drops. Polls serve the waiters that this does not. */
    private void serve(NodeSockets sockets, LockName name, HolderId holder, NodeReplies first) {
        BitSet nodes = withMore(first);
        for (int sent = 1; sent < MOST_RELEASES && !nodes.isEmpty(); sent++) {
            nodes = withMore(redlock.release(
                    sockets, keys.all(name, holder), holder, nodes, node -> false, false, NodeReplies::complete));
        }
    }

    private BitSet withMore(NodeReplies replies) {
        BitSet nodes = new BitSet();
        for (int i = 0; i < redlock.quorum().nodes(); i++) {
            String reply = replies.reply(i);
            nodes.set(i, reply != null && reply.endsWith(MORE));
        }
        return nodes;
    }

    /** The outcome that the replies prove together. Fails with {@link io.hasp.spi.BackendFailure} if they prove nothing. */
    public Released outcome(LockName name, NodeReplies replies) {
        if (!redlock.quorum().reached(replies.replied())) {
            throw replies.noMajority("the release of '" + name + "'", redlock.quorum(), Outcome.UNKNOWN);
        }
        if (redlock.quorum().preventedBy(replies.countOfFirst(RedlockReleases::notHeld))) {
            return Released.NOT_HELD;
        }
        if (redlock.quorum().preventedBy(replies.count(RedlockReleases::notHeld))) {
            throw RedisFailures.lostReleaseReply("a majority");
        }
        return Released.RELEASED;
    }

    /**
     * Returns true if the outcome is known. A NOT_HELD from a node that got the release twice proves nothing: the first release may have
     * ended the hold.
     */
    public boolean known(NodeReplies replies) {
        return redlock.quorum().reached(replies.count(reply -> reply.startsWith("RELEASED")))
                || redlock.quorum().preventedBy(replies.countOfFirst(RedlockReleases::notHeld));
    }

    private static boolean notHeld(String reply) {
        return reply.startsWith("NOT_HELD");
    }
}
