package io.hasp.zookeeper.session;

import io.hasp.spi.LogQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * The one watcher of a session, which all its nodes share. Thread-safe.
 *
 * <p>The server has one watch per session and path for any number of listeners, and removes it only as a whole. So the last listener that
 * leaves a path removes the watch from the server.
 */
public final class SessionWatcher implements Watcher {

    /** Receives changes of nodes, on the event thread of the session. */
    public interface Listener {
        /** The node was deleted, and the watch with it. */
        void deleted(String path);

        /** The watch fired for a write, or was removed; the node exists. */
        void watchLost(String path);
    }

    private final ZooKeeper handle;
    /** The listeners of a path, from the first one that came until the last one left or the watch fired. */
    public static final class Watched {
        private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
        private final List<Consumer<Code>> asking = new ArrayList<>();
        private volatile boolean set;

        /** True if the server has the watch, so that another listener need not ask for it. */
        public boolean isSet() {
            return set;
        }

        /**
         * Adds a listener that waits for the server's answer. Returns true for the first listener, which sends the request. Answers come in
         * the order of the requests, so this answer is as new as the answer to a request that is sent now.
         */
        public synchronized boolean ask(Consumer<Code> then) {
            asking.add(then);
            return asking.size() == 1;
        }

        /** The server has set the watch if the code is OK. */
        public void answered(Code code) {
            List<Consumer<Code>> all;
            synchronized (this) {
                set |= code == Code.OK;
                all = List.copyOf(asking);
                asking.clear();
            }
            tellAll(all, each -> each.accept(code));
        }
    }

    private final Map<String, Watched> watched = new ConcurrentHashMap<>();
    private final Map<String, Set<Runnable>> folders = new ConcurrentHashMap<>();
    private final AtomicBoolean refusalTold = new AtomicBoolean();
    private volatile int connectionChanges;

    SessionWatcher(ZooKeeper handle) {
        this.handle = handle;
    }

    /**
     * The number of changes of the connection's state. Watches survive a reconnection, but their events may then arrive in
     * another order than the changes: conclusions from the order hold only while this number stays the same.
     */
    public int connectionChanges() {
        return connectionChanges;
    }

    /** Adds a listener. Called before the request that sets the watch, so that no event comes too early. */
    public Watched add(String path, Listener listener) {
        return watched.compute(path, (key, present) -> {
            Watched all = present == null ? new Watched() : present;
            all.listeners.add(listener);
            return all;
        });
    }

    /** Removes a listener of a node that exists, and the watch from the server if it was the last one. */
    public void unwatch(String path, Listener listener) {
        watched.computeIfPresent(path, (key, all) -> {
            all.listeners.remove(listener);
            if (!all.listeners.isEmpty()) {
                return all;
            }
            handle.removeAllWatches(path, WatcherType.Data, true, (rc, asked, context) -> {}, null);
            return null;
        });
    }

    /** Removes a listener of a node that is gone or about to be, whose watch ends with it. */
    public void remove(String path, Listener listener) {
        watched.computeIfPresent(path, (key, all) -> {
            all.listeners.remove(listener);
            return all.listeners.isEmpty() ? null : all;
        });
    }

    /**
     * Runs a task, on the event thread, when the watch on a folder's children fires. It fires once. Called on the event thread with the
     * answer to the listing that set it, so that no event of an earlier watch is taken for one of this.
     */
    public void addToFolder(String path, Runnable changed) {
        folders.compute(path, (key, present) -> {
            Set<Runnable> all = present == null ? ConcurrentHashMap.newKeySet() : present;
            all.add(changed);
            return all;
        });
    }

    /** Removes the task. The watch itself stays on the server and fires at the next change, without a listener. */
    public void removeFromFolder(String path, Runnable changed) {
        folders.computeIfPresent(path, (key, all) -> {
            all.remove(changed);
            return all.isEmpty() ? null : all;
        });
    }

    private void folderChanged(String path) {
        Set<Runnable> all = folders.remove(path);
        if (all != null) {
            tellAll(all, Runnable::run);
        }
    }

    /** Notifies every listener even if one throws; that one polls as well. The client library logs the error. */
    static <L> void tellAll(Collection<L> listeners, Consumer<L> news) {
        Throwable broken = null;
        for (L listener : listeners) {
            try {
                news.accept(listener);
            } catch (RuntimeException | Error thrown) {
                broken = thrown;
            }
        }
        if (broken instanceof Error error) {
            throw error;
        }
        if (broken instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** The server refused a watch, and will again. Logged once. */
    public void refused(String path, Code code) {
        if (refusalTold.compareAndSet(false, true)) {
            LogQueue.log(
                    System.Logger.Level.ERROR,
                    "this client waits for a lock behind the node " + path + " and can't watch it: " + code
                            + ". It polls"
                            + " instead. Clients of one lock need the same acl and credentials. (Logged once for a session.)");
        }
    }

    public boolean isEmpty() {
        return watched.isEmpty() && folders.isEmpty();
    }

    @Override
    public void process(WatchedEvent event) {
        switch (event.getType()) {
            case None -> connectionChanged();
            case NodeDeleted -> {
                Watched all = watched.remove(event.getPath());
                if (all != null) {
                    tellAll(all.listeners, listener -> listener.deleted(event.getPath()));
                }
                folderChanged(event.getPath());
            }
            // Another user of this session may remove all its watches from a node.
            case NodeDataChanged, DataWatchRemoved -> {
                Watched all = watched.remove(event.getPath());
                if (all != null) {
                    tellAll(all.listeners, listener -> listener.watchLost(event.getPath()));
                }
            }
            case NodeChildrenChanged, ChildWatchRemoved -> folderChanged(event.getPath());
            default -> {}
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the event thread of the session
    private void connectionChanged() {
        connectionChanges++;
    }
}
