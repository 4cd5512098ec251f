package io.hasp.zookeeper.recipe;

import io.hasp.spi.Claim;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.layout.TokenFloorNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Recalls a lock that a client may keep: notifies the holder when another client creates a child of the folder. Thread-safe.
 *
 *
 * <p>The listing that finds the node to be the first sets the watch. So every later child is reported. If no waiter and no younger token
 * floor is behind the node then, the grant can be recalled; otherwise it never can. The watch survives a reconnection: the client library
 * sets it again, and the server reports at once what was missed.
 *
 * <p>A client that raises a token floor has to know the grants that are not kept any more, see {@link TokenFloorRaise}. So the first
 * renewal of a grant that can't be recalled (any more) marks the node. Until then the raising client waits.
 */
final class RecallWatch {
    private enum State {
        /** Nothing is known yet. */
        NEW,
        LIVE,
        /** Others want it, or may. */
        OVER
    }

    private final LockNode node;
    private final Runnable changed = this::changed;
    private State state = State.NEW;
    private boolean everLive;
    private boolean marked;

    RecallWatch(LockNode node) {
        this.node = node;
    }

    /** A listing that set the watch was answered just now, see {@code SessionWatcher.addToFolder}. */
    synchronized void listed(String own, List<String> children) {
        long mine = NodeOrder.sequence(own);
        boolean alone = NodeOrder.position(children, own) instanceof NodeOrder.Position.First
                && !NodeOrder.anyBehind(children, mine)
                && !TokenFloorNode.anyAfter(own, children);
        if (alone && state == State.NEW) {
            state = State.LIVE;
            everLive = true;
            node.session().watcher().addToFolder(node.folder().path(), changed);
        }
    }

    /** True if no other client has wanted the lock, and the holder will be notified when one does. */
    boolean live() {
        return isLive() && node.session().hearsWatches();
    }

    private synchronized boolean isLive() {
        return state == State.LIVE;
    }

    private void changed() {
        boolean heard;
        synchronized (this) {
            heard = state == State.LIVE;
            state = State.OVER;
        }
        if (heard) {
            node.signal(Signal.WANTED);
        }
    }

    /** The grant is never recalled again. Its watch stays until the folder changes, at the latest by the deletion of the node. */
    synchronized void stop() {
        state = State.OVER;
        node.session().watcher().removeFromFolder(node.folder().path(), changed);
    }

    synchronized boolean markIsDue(Claim claim) {
        return !marked && (!claim.keeps() || !everLive);
    }

    /** Confirms that the node exists, and marks it; a client that may not write it can only confirm it. The answer is as for a check. */
    CompletableFuture<Code> mark() {
        stop();
        String path = node.path();
        return node.session().write(path, node.returningData()).thenCompose(code -> {
            marked(code);
            return code == Code.NOAUTH
                    ? node.session().check(List.of(path)).thenApply(codes -> codes.get(0))
                    : CompletableFuture.completedFuture(code);
        });
    }

    private synchronized void marked(Code code) {
        marked |= code == Code.OK || code == Code.NOAUTH;
    }
}
