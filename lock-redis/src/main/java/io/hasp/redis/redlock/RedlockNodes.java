package io.hasp.redis.redlock;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** All nodes of one Redlock: connects and closes them, and checks for a majority that can answer. Thread-safe. */
public final class RedlockNodes {
    /** Connecting may take longer on a busy machine. A node that was too slow is tried again in the background. */
    private static final int TIMEOUTS_TO_CONNECT = 5;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final List<RedlockNode> nodes;
    private final Quorum quorum;

    /** Creates the nodes without connecting them. */
    public RedlockNodes(List<RedlockNode> nodes, Quorum quorum) {
        this.nodes = nodes;
        this.quorum = quorum;
    }

    /** Connects all nodes at once. Fails with {@link BackendFailure} if no majority answers, or a node refuses for good. */
    public void connect(Executor executor, Duration nodeTimeout) {
        List<CompletableFuture<Void>> opened = new ArrayList<>();
        for (RedlockNode node : nodes) {
            opened.add(CompletableFuture.runAsync(node::open, executor));
        }
        opened.forEach(RedlockNodes::join);
        refuseIfRefused();
        long end = System.nanoTime()
                + nodeTimeout.multipliedBy(TIMEOUTS_TO_CONNECT).toNanos();
        while (nodes.stream().filter(RedlockNode::up).count() < quorum.majority() && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            refuseIfRefused();
        }
        requireMajority("the connection");
    }

    private static void join(CompletableFuture<Void> node) {
        try {
            node.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof LinkageError missing) {
                throw missing;
            }
            throw e;
        }
    }

    /** A node that has another password, or may evict locks, is a mistake that another try does not correct. */
    private void refuseIfRefused() {
        for (RedlockNode node : nodes) {
            BackendFailure reason = node.reason();
            if (!node.up() && reason.kind() != BackendFailure.Kind.UNAVAILABLE) {
                throw reason;
            }
        }
    }

    /** Fails with {@link BackendFailure} if it is known that no majority can answer; nothing is sent. */
    public void requireMajority(String what) {
        NodeReplies replies = new NodeReplies(nodes.size(), new BitSet(), () -> {});
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).up()) {
                replies.failure(i, nodes.get(i).reason());
            }
        }
        if (quorum.preventedBy(replies.failed())) {
            throw replies.noMajority(what, quorum, Outcome.NOT_APPLIED);
        }
    }

    /** True if some node can wake a waiter of this client. */
    public boolean anyCanWake() {
        return nodes.stream().anyMatch(RedlockNode::canWake);
    }

    /** Closes all nodes; throws the first failure in the end. */
    public void close() {
        ExceptionSafe.forEach(nodes, RedlockNode::close);
    }
}
