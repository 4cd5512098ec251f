package io.hasp.zookeeper;

import io.hasp.spi.Signal;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.CurrentSession;
import io.hasp.zookeeper.session.Session;
import java.time.Duration;
import java.util.Collection;

/** Notifies the holders and waiters of a backend of the session's events, and removes the nodes of lost holders. Thread-safe. */
final class SessionEventHandler implements CurrentSession.Listener {
    private final ZooKeeperBackend backend;
    private final Collection<LockNode> nodes;
    private final Timing timing;

    /**
     * Creates a handler.
     *
     * @param nodes the backend's nodes at any time
     */
    SessionEventHandler(ZooKeeperBackend backend, Collection<LockNode> nodes, Timing timing) {
        this.backend = backend;
        this.nodes = nodes;
        this.timing = timing;
    }

    /** Waiters attempt again and so learn of the outage: their last "busy" is no longer an answer. */
    @Override
    public void suspended() {
        nodes.forEach(node -> node.signal(node.held() ? Signal.SUSPECT : Signal.MAYBE_FREE));
    }

    @Override
    public void connected() {
        if (backend.closed()) {
            removeRemaining();
        } else {
            backend.beatNow();
        }
    }

    private void removeRemaining() {
        nodes.forEach(backend::remove);
    }

    @Override
    public void restored(Session session) {
        if (backend.closed()) {
            removeRemaining();
            return;
        }
        endHoldersAtEarlierDeadline(session);
        backend.beatNow();
        nodes.stream().filter(LockNode::held).forEach(node -> node.signal(Signal.RESTORED));
    }

    /** The server that resumed the session may have granted a shorter timeout than the holders' deadlines assume. */
    private void endHoldersAtEarlierDeadline(Session session) {
        if (backend.closed() || !session.deadlineMovedEarlier()) {
            return;
        }
        long left = session.deadline() - timing.nanoTime();
        if (left > 0) {
            timing.schedule(Duration.ofNanos(left), () -> endHoldersAtEarlierDeadline(session));
        } else {
            nodes.stream()
                    .filter(node -> node.session() == session && node.held())
                    .forEach(this::lost);
        }
    }

    @Override
    public void ended(Session session) {
        for (LockNode node : nodes) {
            if (node.session() == session && node.held()) {
                lost(node);
            } else if (node.session() == session) {
                node.signal(Signal.MAYBE_FREE);
            }
        }
    }

    /** The holder is notified first: the removal makes the lock free. */
    private void lost(LockNode node) {
        node.signal(Signal.LOST);
        backend.remove(node);
    }
}
