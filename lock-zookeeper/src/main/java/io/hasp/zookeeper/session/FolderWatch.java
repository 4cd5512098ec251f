package io.hasp.zookeeper.session;

import io.hasp.zookeeper.layout.WatchedFolder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The recursive watch of one session on a lock's folder, which shows the queue without listings, see {@link WatchedFolder}. Thread-safe;
 * listeners are notified outside the monitor, on the session's event thread.
 *
 * <p>Servers send events and answers in the order of the transactions. A new connection is sent no event that the former one missed, so
 * every change of the connection makes the children unknown, until a listing that was sent after it.
 */
public final class FolderWatch implements Watcher {
    /** Receives changes of a folder. */
    public interface Listener {
        /** A child was deleted, or the children are unknown now. */
        void changed();
    }

    private static final int NOT_ASKED = -1;

    private final String folder;
    private final Set<Listener> listeners = new LinkedHashSet<>();
    private final WatchedFolder children = new WatchedFolder();
    /** Counts the changes of the connection, from the request that sets the watch on. */
    private int connection = NOT_ASKED;

    private boolean set;
    private boolean ended;
    private boolean crowded;
    private long usedAt;

    FolderWatch(String folder, long now) {
        this.folder = folder;
        this.usedAt = now;
    }

    String folder() {
        return folder;
    }

    /** The request that sets the watch was sent. */
    synchronized void asked() {
        connection = 0;
    }

    /** The server has set the watch. */
    synchronized void set() {
        set = true;
    }

    /** The connection on which a listing is sent now, for {@link #listed}. */
    synchronized int connection() {
        return connection;
    }

    /**
     * Takes a listing.
     *
     * @param sentOn the connection when it was sent
     */
    synchronized void listed(int sentOn, RequestResult<FolderListing> answer, long now) {
        usedAt = now;
        if (answer.ok() && set && sentOn == connection) {
            children.listed(answer.get().children(), answer.get().created());
        }
    }

    synchronized boolean knowsChildren() {
        return !ended && !crowded && children.known();
    }

    /** Like {@link #decidingFor(String)}, for a new node. */
    synchronized @Nullable List<String> decidingFor(String own, long now) {
        usedAt = now;
        return decidingFor(own);
    }

    /** The children, if they decide the place of a node, see {@link WatchedFolder#decidingFor}; otherwise null. */
    public synchronized @Nullable List<String> decidingFor(String own) {
        return ended ? null : children.decidingFor(own);
    }

    /** Notifies a listener of changes from now on, if the events will decide the place of its node. False, and no effect, if not. */
    public synchronized boolean follow(String own, Listener listener) {
        if (ended || crowded || children.decidingFor(own) == null) {
            return false;
        }
        listeners.add(listener);
        return true;
    }

    public synchronized void leave(Listener listener) {
        listeners.remove(listener);
    }

    synchronized boolean crowdedWithoutUse() {
        return crowded && listeners.isEmpty();
    }

    /** Ends if no waiter uses it, and none did since this moment. True if it has ended, now or before: no waiter follows from then on. */
    synchronized boolean endIfUseless(long moment) {
        if (listeners.isEmpty() && usedAt - moment < 0) {
            ended = true;
            children.forget();
        }
        return ended;
    }

    /** The watch is removed, or was never set. */
    void end() {
        synchronized (this) {
            ended = true;
            children.forget();
        }
        notifyListeners();
    }

    @Override
    public void process(WatchedEvent event) {
        switch (event.getType()) {
            case None -> connectionChanged();
            case NodeCreated -> created(event.getPath());
            case NodeDeleted -> deleted(event.getPath());
            case DataWatchRemoved, ChildWatchRemoved, PersistentWatchRemoved -> end();
            default -> {}
        }
    }

    private void connectionChanged() {
        synchronized (this) {
            connection++;
            children.forget();
        }
        notifyListeners();
    }

    private void created(String path) {
        synchronized (this) {
            if (isChild(path)) {
                children.created(CreatedNode.nameOf(path));
            } else if (path.equals(folder)) {
                children.forget();
            }
            crowded = children.size() > FolderWatches.CROWD;
            if (children.known()) {
                return;
            }
        }
        notifyListeners();
    }

    private void deleted(String path) {
        synchronized (this) {
            if (isChild(path)) {
                children.deleted(CreatedNode.nameOf(path));
            } else if (path.equals(folder)) {
                children.forget();
            }
        }
        notifyListeners();
    }

    private boolean isChild(String path) {
        int slash = path.lastIndexOf('/');
        return slash == folder.length() && path.startsWith(folder);
    }

    private void notifyListeners() {
        List<Listener> all;
        synchronized (this) {
            if (listeners.isEmpty()) {
                return;
            }
            all = List.copyOf(listeners);
        }
        SessionWatcher.tellAll(all, Listener::changed);
    }
}
