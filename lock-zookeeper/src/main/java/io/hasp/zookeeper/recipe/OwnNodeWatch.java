package io.hasp.zookeeper.recipe;

import io.hasp.zookeeper.session.SessionWatcher;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Watches the node of one holder or waiter, so that no request has to name the node while it exists. {@link NodeConfirmation} sets the
 * watch with the first beat, and reads its result. Thread-safe; the node is notified outside the monitor.
 *
 * <p>A watch counts as set until the connection changes. The client library sets watches again after a reconnection, but it may be
 * told not to, and its events then come in another order than the changes. So the next beat reads the node again, which sets the watch.
 */
final class OwnNodeWatch implements SessionWatcher.Listener {
    private final LockNode node;

    private String path = "";
    private boolean set;
    private boolean gone;
    private boolean stopped;
    /** The connection's changes when the server answered. */
    private int changesAtAnswer;

    private Code result = Code.OPERATIONTIMEOUT;
    private long resultAt;
    private int changesAtResult;

    OwnNodeWatch(LockNode node) {
        this.node = node;
    }

    /**
     * Sends the request that sets the watch, unless it is set. A node that a transaction is replacing gets none: an event of its own
     * replacement would look like a deletion by others.
     */
    void request(boolean always) {
        String now = node.path();
        if (node.maybeReplaced()) {
            return;
        }
        synchronized (this) {
            if (now.equals(path) && set && !always && unchangedSince(changesAtAnswer)) {
                return;
            }
            if (!now.equals(path)) {
                leave();
                path = now;
                gone = false;
            }
            stopped = false;
        }
        node.session().watch(now, code -> answered(now, code));
    }

    /** Runs on the event thread, as every event does: so no event of an earlier watch removes the listener afterwards. */
    private void answered(String asked, Code code) {
        boolean vanished;
        synchronized (this) {
            if (stopped || !asked.equals(path)) {
                return;
            }
            set = code == Code.OK;
            vanished = code == Code.NONODE;
            gone |= vanished;
            changesAtAnswer = changes();
            if (set) {
                node.session().watcher().add(path, this);
            }
        }
        if (vanished) {
            node.vanished(asked);
        }
    }

    /** OK if the node exists, NONODE if it does not; another code if only a request can find out. */
    synchronized Code code(String asked) {
        if (!asked.equals(path)) {
            return Code.OPERATIONTIMEOUT;
        }
        if (gone) {
            return Code.NONODE;
        }
        return set && unchangedSince(changesAtAnswer) ? Code.OK : Code.OPERATIONTIMEOUT;
    }

    /** Stores the result of a confirmation that was sent at this moment. */
    synchronized void result(Code code, long sentAt, int changesBefore) {
        // Mostly the same: to write a reference into an old object costs the garbage collector more than the beat
        // costs.
        if (result != code) {
            result = code;
        }
        resultAt = sentAt;
        changesAtResult = changesBefore;
    }

    synchronized Code result() {
        return result;
    }

    /** True if the node was confirmed by a request that was sent at this moment or later, on the present connection. */
    synchronized boolean confirmedSince(long moment) {
        return result == Code.OK && resultAt - moment >= 0 && unchangedSince(changesAtResult);
    }

    private boolean unchangedSince(int changesThen) {
        return changesThen == changes();
    }

    private int changes() {
        return node.session().watcher().connectionChanges();
    }

    /** The node is being removed: its deletion is no news. */
    synchronized void stop() {
        stopped = true;
        leave();
    }

    private void leave() {
        set = false;
        if (!path.isEmpty()) {
            node.session().watcher().remove(path, this);
        }
    }

    @Override
    public void deleted(String deletedPath) {
        boolean replaced = node.maybeReplaced();
        synchronized (this) {
            if (stopped || !deletedPath.equals(path)) {
                return;
            }
            set = false;
            gone = !replaced;
        }
        if (replaced) {
            return;
        }
        node.vanished(deletedPath);
    }

    @Override
    public synchronized void watchLost(String writtenPath) {
        set &= !writtenPath.equals(path);
    }
}
