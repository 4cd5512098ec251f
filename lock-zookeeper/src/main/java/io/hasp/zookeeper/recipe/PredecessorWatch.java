package io.hasp.zookeeper.recipe;

import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionWatcher;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Sets the watches of one waiting node: on its predecessor, so that one release wakes one waiter, and on the node itself where that saves
 * a listing. Thread-safe; signals are sent outside the monitor.
 *
 * <p>A client can't watch a predecessor that it may not read: a server of 3.9 refuses {@code exists} as well, and does not report the
 * node's deletion. A waiter behind such a node polls.
 *
 * <p>If only the predecessor was before the own node, its deletion makes the own node the first, without another listing. That
 * needs the watch on the own node (an administrator may have deleted it earlier) and an unchanged connection (see
 * {@link SessionWatcher}); otherwise a new listing decides.
 */
final class PredecessorWatch implements QueueWatch, SessionWatcher.Listener {
    private final Session session;
    private final String own;
    private final Consumer<Signal> signals;

    private boolean ownWatched;
    private boolean ownGone;
    private String predecessor = "";
    private boolean predecessorWatched;
    private boolean predecessorGone;
    private boolean predecessorUnwatchable;
    private boolean onlyOneBefore;
    private boolean ownNeeded;
    private int changesAtStart;

    /**
     * Creates the watch of a node.
     *
     * @param own the node's path
     * @param signals gets {@link Signal#MAYBE_FREE} when the predecessor is gone, {@link Signal#LOST} when the node itself is
     */
    PredecessorWatch(Session session, String own, Consumer<Signal> signals) {
        this.session = session;
        this.own = own;
        this.signals = signals;
    }

    /**
     * Watches this predecessor from now on, and in the same round trip the own node if that may save a listing.
     *
     * @param always whether to watch the own node in any case
     */
    void watch(String before, boolean onlyOne, boolean always) {
        boolean ownToo;
        synchronized (this) {
            onlyOneBefore = onlyOne;
            ownNeeded = onlyOne || always;
            if (predecessor.equals(before) && nothingToAdd()) {
                return;
            }
            if (!predecessor.equals(before)) {
                unwatchPredecessor();
            }
            predecessor = before;
            predecessorGone = false;
            predecessorWatched = false;
            predecessorUnwatchable = false;
            changesAtStart = session.watcher().connectionChanges();
            session.watcher().add(before, this);
            ownToo = ownNeeded && !ownWatched;
            if (ownToo) {
                session.watcher().add(own, this);
            }
        }
        if (ownToo) {
            session.watch(own, this::ownWatchAnswered);
        }
        session.watch(before, code -> predecessorWatchAnswered(before, code));
    }

    private boolean nothingToAdd() {
        return predecessorUnwatchable || (predecessorWatched && !predecessorGone && (ownWatched || !ownNeeded));
    }

    @Override
    public synchronized boolean unwatchable() {
        return predecessorUnwatchable;
    }

    private synchronized void ownWatchAnswered(Code code) {
        if (code == Code.OK) {
            ownWatched = !ownGone;
        } else if (code == Code.NONODE) {
            session.watcher().remove(own, this);
            ownGone = true;
        }
    }

    /** Ignored if a later listing has found another predecessor. */
    private void predecessorWatchAnswered(String before, Code code) {
        Signal news;
        synchronized (this) {
            boolean current = predecessor.equals(before);
            if (code == Code.NONODE) {
                session.watcher().remove(before, this);
                predecessorGone |= current;
            } else if (code == Code.OK) {
                predecessorWatched |= current;
            } else if (current && ZooKeeperFailures.outcome(code) == Outcome.NOT_APPLIED) {
                session.watcher().refused(before, code);
                session.watcher().remove(before, this);
                predecessorUnwatchable = true;
            }
            if (!ownGone && (!current || (code == Code.OK && !predecessorGone))) {
                return;
            }
            news = ownGone ? Signal.LOST : Signal.MAYBE_FREE;
        }
        signals.accept(news);
    }

    @Override
    public synchronized boolean undisturbed() {
        return nothingToAdd() && !ownGone;
    }

    @Override
    public boolean incomplete() {
        return false;
    }

    @Override
    public synchronized boolean provesGranted() {
        return predecessorGone
                && onlyOneBefore
                && ownWatched
                && !ownGone
                && changesAtStart == session.watcher().connectionChanges();
    }

    @Override
    public void deleted(String path) {
        synchronized (this) {
            if (path.equals(own)) {
                ownGone = true;
            } else if (path.equals(predecessor)) {
                predecessorGone = true;
            }
        }
        signals.accept(path.equals(own) ? Signal.LOST : Signal.MAYBE_FREE);
    }

    /** The waiter lists again, which sets the watch again. */
    @Override
    public void watchLost(String path) {
        synchronized (this) {
            if (path.equals(own)) {
                ownWatched = false;
            } else if (path.equals(predecessor)) {
                predecessor = "";
                predecessorWatched = false;
            }
        }
        signals.accept(Signal.MAYBE_FREE);
    }

    @Override
    public synchronized void stop() {
        unwatchPredecessor();
        session.watcher().remove(own, this);
    }

    private void unwatchPredecessor() {
        if (!predecessor.isEmpty() && !predecessorGone && !predecessorUnwatchable) {
            session.watcher().unwatch(predecessor, this);
        }
        predecessor = "";
        predecessorWatched = false;
        predecessorUnwatchable = false;
    }
}
