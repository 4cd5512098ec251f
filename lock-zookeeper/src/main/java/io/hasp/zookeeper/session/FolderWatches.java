package io.hasp.zookeeper.session;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The recursive watches of one session, on the folders of the locks that it contends for. A watch begins with the second wait within {@link
 * #IDLE} while few nodes are in the folder, and ends when it was not used for that long, or when the folder is crowded: it reports each
 * change to each waiting client. Thread-safe.
 */
public final class FolderWatches {
    /** Children of a folder up to which a watch begins. */
    static final int FEW = 8;

    /** Children of a folder above which no new waiter uses its watch. */
    static final int CROWD = 12;

    static final int MOST_WATCHES = 256;
    static final Duration IDLE = Duration.ofSeconds(10);

    private final ZooKeeper handle;
    private final Session session;
    private final Timing timing;
    private final Map<String, FolderWatch> byFolder = new LinkedHashMap<>();
    /** The last wait at each of the folders that were waited at lately. */
    private final Map<String, Long> waits = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_WATCHES;
        }
    };

    private boolean supported;
    private boolean timerSet;

    /**
     * Creates an instance without watches.
     *
     * @param supported false if there never are any
     */
    FolderWatches(ZooKeeper handle, Session session, Timing timing, boolean supported) {
        this.handle = handle;
        this.session = session;
        this.timing = timing;
        this.supported = supported;
    }

    /** The watch on a folder; null if there is none. */
    public synchronized @Nullable FolderWatch on(String folder) {
        return byFolder.get(folder);
    }

    /** True if a node that is created now probably needs no listing. */
    public boolean knowsChildren(String folder) {
        FolderWatch watch = on(folder);
        return watch != null && watch.knowsChildren();
    }

    /** The children of a folder as the events show them, if they decide the place of a node; otherwise null. */
    public @Nullable FolderListing decidingFor(String folder, String own) {
        FolderWatch watch = on(folder);
        List<String> children = watch == null ? null : watch.decidingFor(own, timing.nanoTime());
        return children == null ? null : FolderListing.byEvents(children);
    }

    /** A node has to wait. Begins to watch its folder, if that is worthwhile. */
    public void waitsIn(String folder, int children) {
        FolderWatch present = on(folder);
        if (present != null) {
            endIfCrowded(present);
        } else if (session.hearsWatches()) {
            begin(folder, children);
        }
    }

    private void begin(String folder, int children) {
        FolderWatch watch = new FolderWatch(folder, timing.nanoTime());
        boolean startTimer;
        synchronized (this) {
            boolean worthwhile = waitedLately(folder) && children <= FEW && byFolder.size() < MOST_WATCHES;
            if (!supported || !worthwhile || byFolder.putIfAbsent(folder, watch) != null) {
                return;
            }
            startTimer = !timerSet;
            timerSet = true;
        }
        handle.addWatch(
                folder, watch, AddWatchMode.PERSISTENT_RECURSIVE, (rc, asked, context) -> answered(watch, rc), null);
        watch.asked();
        if (startTimer) {
            timing.schedule(IDLE, this::sweep);
        }
    }

    private void endIfCrowded(FolderWatch watch) {
        boolean removed;
        synchronized (this) {
            removed = watch.crowdedWithoutUse() && byFolder.remove(watch.folder(), watch);
        }
        if (removed) {
            remove(watch);
        }
    }

    private boolean waitedLately(String folder) {
        long now = timing.nanoTime();
        Long before = waits.remove(folder);
        waits.put(folder, now);
        return before != null && now - before < IDLE.toNanos();
    }

    private void answered(FolderWatch watch, int rc) {
        if (rc == Code.OK.intValue()) {
            watch.set();
            return;
        }
        synchronized (this) {
            supported &= rc != Code.UNIMPLEMENTED.intValue();
            byFolder.remove(watch.folder(), watch);
        }
        watch.end();
    }

    /** Prepares a listing; the consumer takes its answer for the watch. */
    @Nullable
    Listing listing(String folder) {
        FolderWatch watch = on(folder);
        return watch == null ? null : new Listing(watch, watch.connection());
    }

    /** A listing that is under way while its folder is watched. */
    final class Listing {
        private final FolderWatch watch;
        private final int sentOn;

        private Listing(FolderWatch watch, int sentOn) {
            this.watch = watch;
            this.sentOn = sentOn;
        }

        void answered(RequestResult<FolderListing> answer) {
            watch.listed(sentOn, answer, timing.nanoTime());
        }
    }

    /** Ends the watches that are not used any more. */
    private void sweep() {
        long now = timing.nanoTime();
        List<FolderWatch> useless = new ArrayList<>();
        boolean again;
        synchronized (this) {
            byFolder.values().removeIf(watch -> {
                boolean over = watch.endIfUseless(now - IDLE.toNanos());
                if (over) {
                    useless.add(watch);
                }
                return over;
            });
            again = !byFolder.isEmpty() && !session.ended();
            timerSet = again;
        }
        useless.forEach(this::remove);
        if (again) {
            timing.schedule(IDLE, this::sweep);
        }
    }

    private void remove(FolderWatch watch) {
        watch.end();
        handle.removeAllWatches(watch.folder(), WatcherType.Any, true, (rc, asked, context) -> {}, null);
    }
}
