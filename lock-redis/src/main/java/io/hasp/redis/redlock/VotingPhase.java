package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.Claim;
import java.time.Duration;
import java.util.BitSet;

/** Asks the nodes for the lock until a majority has answered, and hardly longer for slower nodes. Used once, by one thread. */
final class VotingPhase {
    private static final String YES = "GRANTED";

    /** An attempt that is not granted waits this long at most for nodes that are slower than the majority. */
    private static final Duration LINGER = Duration.ofMillis(10);

    /** After so many attempts in a row that no client won, a waiter awaits slow nodes: their votes may be needed. */
    private static final int MOST_SPLITS = 3;

    private final RedlockProtocol redlock;
    private final NodeSockets sockets;
    private final Claim claim;
    private final HolderState mine;
    private final ScriptCall grant;
    private final BitSet asked;
    private final long start;
    private NodeReplies round;
    private boolean refusedByFirst;

    /**
     * The first phase of one attempt. It reads the clock before anything is sent.
     *
     * @param asked the nodes whose votes count
     */
    VotingPhase(
            RedlockProtocol redlock,
            NodeSockets sockets,
            Claim claim,
            HolderState mine,
            ScriptCall grant,
            BitSet asked) {
        this.redlock = redlock;
        this.sockets = sockets;
        this.claim = claim;
        this.mine = mine;
        this.grant = grant;
        this.asked = asked;
        this.start = redlock.now();
        this.round = replies(asked);
    }

    /** Replies, some of which may still come in. */
    NodeReplies round() {
        return round;
    }

    /** On the clock of the leases. */
    long nanosSinceStart() {
        return redlock.now() - start;
    }

    /** True if one node alone was asked, and refused. */
    boolean refusedByFirst() {
        return refusedByFirst;
    }

    VoteCount ask() {
        int firstNode = !claim.queue() && mine.splits() % 2 == 1 ? sockets.firstUp(asked) : -1;
        if (firstNode < 0 || othersAfter(firstNode)) {
            sockets.ask(grant, round, replies -> decided(replies) || disagreementEnds(replies));
            linger();
        }
        return new VoteCount(redlock.quorum(), round);
    }

    /**
     * After an attempt that no client won, a client that does not wait asks one node first: all such contenders ask the same one, so
     * that only its winner asks the others. If it refuses, the next attempt asks all again, because a node may be wrong for the rest of
     * a lease.
     *
     * @return true if the other nodes are to be asked now
     */
    private boolean othersAfter(int firstNode) {
        BitSet one = new BitSet();
        one.set(firstNode);
        NodeReplies alone = sockets.ask(grant, replies(one), NodeReplies::complete);
        if (alone.failed() == 0 && new VoteCount(redlock.quorum(), alone).grants() == 0) {
            round = alone;
            refusedByFirst = true;
            return false;
        }
        BitSet others = (BitSet) asked.clone();
        others.clear(firstNode);
        mine.asked(mine.signals());
        round = replies(others);
        round.include(alone);
        return true;
    }

    private NodeReplies replies(BitSet nodes) {
        return new NodeReplies(redlock.quorum().nodes(), nodes, mine::answered).onSending(mine::reaches);
    }

    private boolean decided(NodeReplies replies) {
        return replies.decided(redlock.quorum(), YES);
    }

    /** A waiter passes its votes on sooner than slow nodes answer. To a client that does not wait, "busy" has to be true. */
    private boolean disagreementEnds(NodeReplies replies) {
        return claim.queue() && mine.splits() < MOST_SPLITS && redlock.quorum().reached(replies.replied());
    }

    /** Nodes that are hardly slower than the majority may decide. What they granted to a refused attempt needs no release later. */
    private void linger() {
        if (!decided(round)) {
            sockets.awaitBriefly(round, LINGER.toNanos(), replies -> decided(replies) || onlySlowNodesDecide(replies));
        } else if (!redlock.quorum().reached(grants(round))) {
            sockets.awaitBriefly(round, Math.min(nanosSinceStart(), LINGER.toNanos()), sockets::oweMore);
        }
    }

    private boolean onlySlowNodesDecide(NodeReplies replies) {
        return !redlock.quorum().reached(grants(replies) + sockets.awaited(replies, LINGER));
    }

    private static int grants(NodeReplies replies) {
        return replies.count(reply -> reply.startsWith(YES));
    }
}
