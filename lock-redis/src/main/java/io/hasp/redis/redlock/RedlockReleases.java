package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** Releases holders on all nodes, and judges by their replies whether the lock was held. Thread-safe. */
public record RedlockReleases(RedlockProtocol redlock, LockKeys keys, HolderRegistry holders) {

    /** Releases a holder on every node that may know of it. Waits until enough nodes have replied. */
    public NodeReplies send(NodeSockets sockets, LockName name, HolderId holder, Predicate<NodeReplies> enough) {
        boolean tombstone = holders.mayStillArrive(holder);
        HolderState mine = holders.find(holder.value());
        IntPredicate knows = mine == null ? node -> true : mine::reached;
        return redlock.release(sockets, keys.all(name, holder), holder, sockets.all(), knows, tombstone, false, enough);
    }

    /** What the replies prove together. Fails with {@link io.hasp.spi.BackendFailure} if they prove nothing. */
    public Released outcome(LockName name, NodeReplies replies) {
        if (!redlock.quorum().reached(replies.replied())) {
            throw replies.noMajority("the release of '" + name + "'", redlock.quorum(), Outcome.UNKNOWN);
        }
        if (redlock.quorum().preventedBy(replies.countOfFirst("NOT_HELD"))) {
            return Released.NOT_HELD;
        }
        if (redlock.quorum().preventedBy(replies.count("NOT_HELD"::equals))) {
            throw RedisFailures.lostReleaseReply("a majority");
        }
        return Released.RELEASED;
    }

    /**
     * Whether the outcome is known. A NOT_HELD from a node that got the release twice proves nothing: the first may have ended
     * the hold.
     */
    public boolean known(NodeReplies replies) {
        return redlock.quorum().reached(replies.count("RELEASED"::equals))
                || redlock.quorum().preventedBy(replies.countOfFirst("NOT_HELD"));
    }
}
