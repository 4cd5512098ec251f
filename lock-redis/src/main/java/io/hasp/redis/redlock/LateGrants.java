package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderState;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Gives back the lock where a node grants it to an attempt that is over. Such a node gets a release behind the request. Until it
 * has answered both, the holder's next attempts and renewals leave it out, because they may reach it on another socket before that
 * release. Used by the thread that has the {@link NodeSockets}.
 */
final class LateGrants {
    /** Sends a release to some nodes, and waits for none. */
    interface Release {
        void send(BitSet nodes, IntConsumer answered);
    }

    private final NodeSockets sockets;
    private final HolderState mine;
    private final NodeReplies round;
    private final Release release;
    private final BitSet releasedFirst = new BitSet();

    LateGrants(NodeSockets sockets, HolderState mine, NodeReplies round, Release release) {
        this.sockets = sockets;
        this.mine = mine;
        this.round = round;
        this.release = release;
    }

    void giveBack(BitSet nodes) {
        if (!nodes.isEmpty()) {
            nodes.stream().forEach(mine::unsettled);
            round.onAnswer(this::answered);
            release.send(nodes, this::released);
        }
    }

    private void released(int node) {
        if (round.awaits(node)) {
            releasedFirst.set(node);
        } else {
            mine.settled(node);
        }
    }

    /** A node that did not know the script gets its text behind the release, and may grant after it. */
    private void answered(int node) {
        if (!releasedFirst.get(node)) {
            return;
        }
        if (granted(round, node)) {
            BitSet one = new BitSet();
            one.set(node);
            sockets.afterReplies(() -> release.send(one, this::released));
        } else {
            mine.settled(node);
        }
    }

    static boolean granted(NodeReplies replies, int node) {
        String reply = replies.reply(node);
        return reply != null && reply.startsWith("GRANTED");
    }
}
