package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.Claim;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Asks the nodes for the lock until a majority has answered, and no longer for those that are slower. Where the answers name no winner,
 * the contender with most of the votes keeps them and asks again, and the others give way. Used once, by one thread.
 */
final class PhaseOne {
    /** For so long at most, and no longer than the majority took, an attempt that is not granted waits for nodes that are hardly slower. */
    private static final Duration LINGER = Duration.ofMillis(5);

    /** How often a contender with most of the votes asks for the others again. */
    private static final int MOST_REPEATS = 3;

    /** After so many attempts that no client won, the votes of slow nodes are awaited. */
    private static final int PATIENT = 3;

    private final RedlockProtocol redlock;
    private final NodeSockets sockets;
    private final Claim claim;
    private final HolderState mine;
    private final ScriptCall grant;
    private final BitSet asked;
    private final long start;
    private NodeReplies round;
    private boolean refusedByFirst;

    PhaseOne(
            RedlockProtocol redlock,
            NodeSockets sockets,
            Claim claim,
            HolderState mine,
            List<String> keys,
            List<String> request,
            BitSet asked) {
        this.redlock = redlock;
        this.sockets = sockets;
        this.claim = claim;
        this.mine = mine;
        this.grant = new ScriptCall(redlock.scripts().grant(), keys, request);
        this.asked = asked;
        this.start = redlock.now();
        this.round = replies(asked);
    }

    /** Before anything was sent, on the clock of the leases. */
    long start() {
        return start;
    }

    /** What the nodes have said, and may still say. */
    NodeReplies round() {
        return round;
    }

    /** Whether only one node was asked, which refused. */
    boolean refusedByFirst() {
        return refusedByFirst;
    }

    /** Asks. A majority of the nodes has answered then, or can't any more, or one node alone has refused. */
    VoteCount ask() {
        int firstNode = mine.splits() % 2 == 1 ? sockets.firstUp(asked) : -1;
        if (firstNode < 0 || others(firstNode)) {
            sockets.ask(
                    grant,
                    round,
                    replies -> decided(replies) || redlock.quorum().reached(replies.replied()));
            long took = redlock.now() - start;
            linger(took);
            return contest(took);
        }
        return votes();
    }

    /**
     * After an attempt that no client won, one node first: all contenders ask the same one, so that only its winner asks the
     * others. If it refuses, the next attempt asks all again, because a node may be wrong for the rest of a lease.
     *
     * @return true if the other nodes are to be asked now
     */
    private boolean others(int firstNode) {
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
        return replies.decided(redlock.quorum(), "GRANTED");
    }

    /** Nodes that answer at about the same time as the majority need not be sent a release of what they may have granted. */
    private void linger(long took) {
        if (!won(round)) {
            Predicate<NodeReplies> enough = replies -> won(replies) || replies.complete() || sockets.oweMore(replies);
            sockets.awaitBriefly(round, Math.min(took, LINGER.toNanos()), enough);
        }
        if (mine.splits() >= PATIENT) {
            sockets.await(round, this::decided);
        }
    }

    private boolean won(NodeReplies replies) {
        return redlock.quorum().reached(replies.count(reply -> reply.startsWith("GRANTED")));
    }

    /**
     * A slow node would answer much later than the others need to give way to one of them. What it says counts as soon as it is
     * there.
     */
    private VoteCount contest(long took) {
        VoteCount votes = votes();
        for (int i = 0; i < MOST_REPEATS && votes.leading(claim.holder()); i++) {
            sockets.awaitBriefly(round, Math.min(took << i, LINGER.toNanos()), this::won);
            mine.asked(mine.signals());
            NodeReplies again = replies(votes.busy());
            sockets.ask(grant, again, NodeReplies::complete);
            round.replace(again);
            votes = votes();
        }
        return votes;
    }

    private VoteCount votes() {
        return new VoteCount(redlock.quorum(), round);
    }
}
