package io.hasp.zookeeper.session;

import io.hasp.spi.LockName;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.ZooKeeper;

/**
 * Counts the bytes of the paths of one session's nodes. Thread-safe.
 *
 * <p>The leader ends a session by one transaction that carries the paths of all its nodes. A follower refuses a transaction above
 * twice {@code jute.maxbuffer}, two megabytes by default, and refuses it again at every start (ZOOKEEPER-4306): the ensemble is lost.
 * So a session gets a quarter of that at most.
 */
public final class SessionPaths {
    /** No new node above this. */
    public static final int LIMIT = 512 * 1024;

    /** A client with several sessions puts no new lock into one above this. The rest is for requests that choose at the same time. */
    private static final int ROOM = LIMIT * 3 / 4;

    /** The affixes of a node's name, and its length in the transaction: an upper bound. */
    private static final int AFFIXES = 48;

    /** Several lock clients may use one Curator client, and so one session. A handle has one session in its life. */
    private static final Map<ZooKeeper, SessionPaths> BY_HANDLE = new WeakHashMap<>();

    private final AtomicLong bytes = new AtomicLong();
    private final Map<LockName, Integer> nodes = new ConcurrentHashMap<>();

    /** The count of this handle's session. */
    static SessionPaths of(ZooKeeper handle) {
        synchronized (BY_HANDLE) {
            return BY_HANDLE.computeIfAbsent(handle, each -> new SessionPaths());
        }
    }

    /** Bytes of a holder's path, without the chroot. The path of a folder is ASCII but for its root. */
    public static int bytesOf(String folder, String holder) {
        return folder.length() + holder.length() + AFFIXES;
    }

    /** Counts a new node. False, and no effect, if there is no room for it. */
    public boolean tryAdd(LockName lock, int size) {
        if (bytes.addAndGet(size) > LIMIT) {
            bytes.addAndGet(-size);
            return false;
        }
        nodes.merge(lock, 1, Integer::sum);
        return true;
    }

    /** Counts a node that takes the place of another one. */
    public void addReplacement(LockName lock, int size) {
        bytes.addAndGet(size);
        nodes.merge(lock, 1, Integer::sum);
    }

    /** The node is gone. */
    public void remove(LockName lock, int size) {
        bytes.addAndGet(-size);
        nodes.computeIfPresent(lock, (name, count) -> count > 1 ? count - 1 : null);
    }

    public long bytes() {
        return bytes.get();
    }

    public boolean hasRoom() {
        return bytes.get() < ROOM;
    }

    /** True if this session has a node of the lock, and room for another one. */
    public boolean mayAddTo(LockName lock) {
        return nodes.containsKey(lock) && bytes.get() < (ROOM + LIMIT) / 2;
    }
}
