package io.hasp.zookeeper.recipe;

import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Share;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Gives back a part of one holder's weight: one transaction deletes its node and creates one with the lower weight, whose name keeps
 * the place. The deletion wakes its watchers. A lowering without an answer is repeated, and finds out whether it was applied.
 * Until then either path may be the node's. Runs one request at a time. Thread-safe.
 */
public final class NodeLowering {
    private final LockNode node;
    private final Session session;
    private CompletableFuture<Code> underWay = CompletableFuture.completedFuture(Code.OK);
    private volatile @Nullable NodeName unanswered;

    NodeLowering(LockNode node) {
        this.node = node;
        this.session = node.session();
    }

    /**
     * Confirms that the node exists, and lowers its weight if that is more than the share's; it is never raised. The answer is OK, NONODE
     * if the node is gone, or the code of a failure without a known effect; SYSTEMERROR if an error in this process broke the request off.
     * The future never fails: later calls, and the removal of the node, wait for it.
     */
    public synchronized CompletableFuture<Code> confirm(Share share) {
        underWay = underWay.thenCompose(earlier -> step(share)).exceptionally(broken -> Code.SYSTEMERROR);
        return underWay;
    }

    /** True if a renewal for this share has to lower the node. */
    boolean isNeeded(Share share) {
        return isUnanswered() || share.weight() < node.name().share().weight();
    }

    /** Completes when no request is under way. */
    synchronized CompletableFuture<Code> idle() {
        return underWay;
    }

    /** True if a lowering was sent whose outcome is unknown. */
    boolean isUnanswered() {
        return unanswered != null;
    }

    private CompletableFuture<Code> step(Share share) {
        if (!node.held()) {
            return CompletableFuture.completedFuture(Code.NONODE);
        }
        NodeName repeated = unanswered;
        if (repeated != null) {
            return replaceBy(repeated, share, true);
        }
        NodeName now = node.name();
        if (share.weight() >= now.share().weight()) {
            return check(node.path());
        }
        // Waiters behind a writer take its deletion for its end or its downgrade.
        return now.share().equals(Share.WRITE) && !share.equals(Share.READ)
                ? CompletableFuture.completedFuture(Code.BADARGUMENTS)
                : replaceBy(now.withShare(share), share, false);
    }

    private CompletableFuture<Code> check(String path) {
        return session.check(List.of(path)).thenApply(codes -> codes.get(0));
    }

    private CompletableFuture<Code> replaceBy(NodeName lower, Share share, boolean again) {
        String path = node.folder().child(lower.text());
        unanswered = lower;
        return session.substitute(node.path(), path, node.loweredData())
                .thenCompose(code -> code == Code.NONODE ? check(path) : CompletableFuture.completedFuture(code))
                .thenCompose(code -> {
                    if (code == Code.OK) {
                        node.movedTo(path);
                        unanswered = null;
                        return lower.share().weight() > share.weight()
                                ? step(share)
                                : CompletableFuture.completedFuture(code);
                    }
                    if (code == Code.NONODE || (!again && ZooKeeperFailures.outcome(code) == Outcome.NOT_APPLIED)) {
                        unanswered = null;
                    }
                    return CompletableFuture.completedFuture(code);
                });
    }
}
