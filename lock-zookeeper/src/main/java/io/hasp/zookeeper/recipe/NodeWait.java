package io.hasp.zookeeper.recipe;

import static java.util.Objects.requireNonNull;

import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.EarlierNodes;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.session.FolderWatches;
import org.jspecify.annotations.Nullable;

/** The wait of one node for its turn: keeps its watches, and attempts when they report a change. Thread-safe. */
final class NodeWait {
    private final LockNode node;
    private final FolderWait folderWait;
    private volatile @Nullable QueueWatch watch;
    private volatile boolean foundGranted;
    private volatile boolean behindKeepers;
    private volatile long listedChange;
    private boolean counted;

    NodeWait(LockNode node) {
        this.node = node;
        this.folderWait = new FolderWait(node, () -> onWatchSignal(node.path(), Signal.MAYBE_FREE));
    }

    /** The node exists at this path. */
    void created(String path) {
        watch = node.exclusive()
                ? new PredecessorWatch(node.session(), path, signal -> onWatchSignal(path, signal))
                : new EarlierNodesWatch(node.session(), node.folder(), path, signal -> onWatchSignal(path, signal));
    }

    /** True if the node is known to have the lock, so that the next attempt need not ask the server. */
    boolean knownGranted() {
        QueueWatch current = watch;
        return foundGranted
                || (current != null
                        && node.state() == LockNode.State.QUEUED
                        && (folderWait.provesFirst() || current.provesGranted()));
    }

    /** A listing that shows the folder after this transaction decides what the node waits for. */
    void listed(long lastChange) {
        listedChange = lastChange;
    }

    /** The last change of the folder that its latest listing shows. */
    long listedChange() {
        return listedChange;
    }

    /** True if the server keeps all watches that the latest listing asked for, as far as is known. */
    boolean undisturbed() {
        QueueWatch current = watch;
        return current != null && current.undisturbed();
    }

    /** True if no watch will wake this waiter when its turn comes. */
    boolean mustPoll() {
        QueueWatch current = watch;
        return current != null && current.unwatchable();
    }

    /** True if the watches may fail to wake this waiter, because it waits for more nodes than it watches. */
    boolean watchesIncomplete() {
        QueueWatch current = watch;
        return current != null && current.incomplete();
    }

    /** True if all nodes before this one are of clients that may keep the lock. */
    boolean behindKeepers() {
        return behindKeepers;
    }

    /**
     * Watches the predecessor of this node in an exclusive lock. Behind a client that may keep the lock, a waiter also watches its own
     * node, because a deleted node no longer recalls the lock. A client that does not queue asks again, and needs no watch. Neither does a
     * node whose folder is watched.
     */
    void behind(NodeOrder.Position.Behind behind) {
        behindKeepers = behind.allKeep();
        if (node.queues() && !NodeName.keeps(behind.predecessor()) && folderWait.begin()) {
            return;
        }
        if (existing() instanceof PredecessorWatch predecessor && (node.queues() || !behind.allKeep())) {
            predecessor.watch(
                    node.folder().child(behind.predecessor()),
                    behind.onlyOneBefore(),
                    node.queues() && NodeName.keeps(behind.predecessor()));
        }
    }

    /** Watches the nodes that leave this one no room. One that does not queue is about to be removed, and needs no watch. */
    void behind(EarlierNodes earlier) {
        if (node.queues() && existing() instanceof EarlierNodesWatch nodes) {
            nodes.watch(earlier);
        }
    }

    /** The node has to wait among so many children. Its first wait counts, see {@link FolderWatches#waitsIn}. */
    void waitsAmong(int children) {
        if (node.queues() && node.recall() == null && !counted) {
            counted = true;
            node.session().folderWatches().waitsIn(node.folder().path(), children);
        }
    }

    private QueueWatch existing() {
        return requireNonNull(watch, "there is no node yet");
    }

    /** The watch reports a change; LOST if the path is deleted. The holder of a share needs no news of others that leave. */
    private void onWatchSignal(String watched, Signal signal) {
        if (signal == Signal.LOST) {
            node.vanished(watched);
        } else if (node.active() && (node.exclusive() || !node.held()) && !attemptAhead()) {
            node.signal(signal);
        }
    }

    /**
     * Starts, on the event thread, the attempt that a signal would cause, and signals only if that attempt does not end in
     * waiting again: the waiter wakes once, with the answer there. False if the answer is known already, or an attempt is
     * running.
     */
    private boolean attemptAhead() {
        if (!node.mayAttemptAhead() || knownGranted() || mustPoll()) {
            return false;
        }
        node.attempt().whenComplete((result, failure) -> {
            if (result == EntryResult.WAITING) {
                return;
            }
            foundGranted = result == EntryResult.HELD && node.held();
            node.signal(Signal.MAYBE_FREE);
        });
        return true;
    }

    void end() {
        folderWait.end();
        QueueWatch ended = watch;
        if (ended != null) {
            ended.stop();
        }
    }
}
