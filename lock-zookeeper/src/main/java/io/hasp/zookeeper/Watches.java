package io.hasp.zookeeper;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * Who waits for which node in one session. Thread-safe.
 *
 * <p>The server knows one watch per session and path, however many wait for it, and it takes a watch back only as a whole.
 * So all share this one watcher, and the last to leave a path removes the watch on the server.
 */
final class Watches implements Watcher {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    /** Told when a node changed. Called on the event thread of the session. */
    interface Watching {
        /** The node was deleted, after which the watch is gone. */
        void deleted(String path);

        /** The watch was used up or taken off; the node exists. */
        void touched(String path);
    }

    private final ZooKeeper handle;
    private final Map<String, Set<Watching>> watching = new ConcurrentHashMap<>();
    private final AtomicBoolean refusalTold = new AtomicBoolean();
    private volatile int disturbances;

    Watches(ZooKeeper handle) {
        this.handle = handle;
    }

    /**
     * How often the connection changed its state. Watches survive a reconnection, but their events may then arrive in
     * another order than the changes: conclusions from the order hold only while this number stays the same.
     */
    int disturbances() {
        return disturbances;
    }

    /** Call before the request that sets the watch, so that no event can come too early. */
    void join(String path, Watching who) {
        watching.compute(path, (key, present) -> {
            Set<Watching> all = present == null ? ConcurrentHashMap.newKeySet() : present;
            all.add(who);
            return all;
        });
    }

    /** Ends an interest in a node that still exists, and takes the watch back from the server if nobody else has one. */
    void leave(String path, Watching who) {
        watching.computeIfPresent(path, (key, all) -> {
            all.remove(who);
            if (!all.isEmpty()) {
                return all;
            }
            handle.removeAllWatches(path, WatcherType.Data, true, (rc, asked, context) -> {}, null);
            return null;
        });
    }

    /** Ends an interest in a node that is about to vanish or has vanished, and the watch with it. */
    void forget(String path, Watching who) {
        watching.computeIfPresent(path, (key, all) -> {
            all.remove(who);
            return all.isEmpty() ? null : all;
        });
    }

    /** A watch was refused for good; logged for the first one. */
    void refused(String path, Code code) {
        if (refusalTold.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "this client waits for a lock behind the node " + path + " and can't watch it: " + code
                            + ". It polls"
                            + " instead. Clients of one lock need the same acl and credentials. (Logged once for a session.)");
        }
    }

    boolean isEmpty() {
        return watching.isEmpty();
    }

    @Override
    public void process(WatchedEvent event) {
        switch (event.getType()) {
            case None -> disturbed();
            case NodeDeleted -> {
                Set<Watching> all = watching.remove(event.getPath());
                if (all != null) {
                    all.forEach(who -> who.deleted(event.getPath()));
                }
            }
            // Another user of this session may take all its watches off a node.
            case NodeDataChanged, DataWatchRemoved -> {
                Set<Watching> all = watching.remove(event.getPath());
                if (all != null) {
                    all.forEach(who -> who.touched(event.getPath()));
                }
            }
            default -> {}
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the event thread of the session
    private void disturbed() {
        disturbances++;
    }
}
