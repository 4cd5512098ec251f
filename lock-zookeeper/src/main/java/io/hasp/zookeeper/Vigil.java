package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Signal;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * What one waiting node watches: its predecessor, so that one release wakes one waiter, and itself where that saves a
 * listing. Thread-safe; signals leave outside the monitor.
 *
 * <p>A predecessor that may not be read can't be watched: a server of 3.9 refuses {@code exists} as well, and keeps the news of a
 * node, even of its end, from who may not read it. Who stands behind such a node polls.
 *
 * <p>When the predecessor was the only node before ours and its deletion is reported, ours is the first, without asking
 * again. The conclusion needs the watch on the own node (an administrator may have deleted that one too, earlier) and an
 * undisturbed connection (see {@link Watches}); otherwise it takes a new listing.
 */
final class Vigil implements Watches.Watching {
    private final Session session;
    private final String own;
    private final Consumer<Signal> tell;

    private boolean ownWatched;
    private boolean ownGone;
    private String predecessor = "";
    private boolean predecessorWatched;
    private boolean predecessorGone;
    private boolean predecessorUnwatchable;
    private boolean onlyOneBefore;
    private int since;

    /**
     * For a node.
     *
     * @param tell told {@link Signal#MAYBE_FREE} when the predecessor is gone, {@link Signal#LOST} when the node itself is
     */
    Vigil(Session session, String own, Consumer<Signal> tell) {
        this.session = session;
        this.own = own;
        this.tell = tell;
    }

    /** Watches a predecessor from now on, in one flight with the own node if that can be of use. */
    void over(String before, boolean onlyOne) {
        boolean ownToo;
        synchronized (this) {
            onlyOneBefore = onlyOne;
            if (predecessor.equals(before) && watchedAsFarAsPossible(onlyOne)) {
                return;
            }
            if (!predecessor.equals(before)) {
                leavePredecessor();
            }
            predecessor = before;
            predecessorGone = false;
            predecessorWatched = false;
            predecessorUnwatchable = false;
            since = session.watches().disturbances();
            session.watches().join(before, this);
            ownToo = onlyOne && !ownWatched;
            if (ownToo) {
                session.watches().join(own, this);
            }
        }
        if (ownToo) {
            session.watch(own, this::watchesOwn);
        }
        session.watch(before, code -> watchesPredecessor(before, code));
    }

    private boolean watchedAsFarAsPossible(boolean onlyOne) {
        return predecessorUnwatchable || (predecessorWatched && !predecessorGone && (ownWatched || !onlyOne));
    }

    /** Whether nothing tells of the predecessor's end. */
    synchronized boolean unwatchable() {
        return predecessorUnwatchable;
    }

    private synchronized void watchesOwn(Code code) {
        if (code == Code.OK) {
            ownWatched = !ownGone;
        } else if (code == Code.NONODE) {
            session.watches().forget(own, this);
            ownGone = true;
        }
    }

    /** A later listing may have chosen another predecessor meanwhile, of which this answer says nothing. */
    private void watchesPredecessor(String before, Code code) {
        Signal news;
        synchronized (this) {
            boolean current = predecessor.equals(before);
            if (code == Code.NONODE) {
                session.watches().forget(before, this);
                predecessorGone |= current;
            } else if (code == Code.OK) {
                predecessorWatched |= current;
            } else if (current && Failures.outcome(code) == Outcome.NOT_APPLIED) {
                session.watches().refused(before, code);
                session.watches().forget(before, this);
                predecessorUnwatchable = true;
            }
            if (!ownGone && (!current || (code == Code.OK && !predecessorGone))) {
                return;
            }
            news = ownGone ? Signal.LOST : Signal.MAYBE_FREE;
        }
        tell.accept(news);
    }

    /** Whether the predecessor's deletion has made the node the first. */
    synchronized boolean succeeds() {
        return predecessorGone
                && onlyOneBefore
                && ownWatched
                && !ownGone
                && since == session.watches().disturbances();
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
        tell.accept(path.equals(own) ? Signal.LOST : Signal.MAYBE_FREE);
    }

    /** Somebody wrote to a node, which used up the watch: look again. */
    @Override
    public void touched(String path) {
        synchronized (this) {
            if (path.equals(own)) {
                ownWatched = false;
            } else if (path.equals(predecessor)) {
                predecessor = "";
                predecessorWatched = false;
            }
        }
        tell.accept(Signal.MAYBE_FREE);
    }

    /** Ends all watching; the own node is about to be deleted, and its watch with it. */
    synchronized void end() {
        leavePredecessor();
        session.watches().forget(own, this);
    }

    private void leavePredecessor() {
        if (!predecessor.isEmpty() && !predecessorGone && !predecessorUnwatchable) {
            session.watches().leave(predecessor, this);
        }
        predecessor = "";
        predecessorWatched = false;
        predecessorUnwatchable = false;
    }
}
