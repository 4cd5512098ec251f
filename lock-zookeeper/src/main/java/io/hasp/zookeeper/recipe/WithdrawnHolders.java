package io.hasp.zookeeper.recipe;

import io.hasp.spi.HolderId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The latest holders that were withdrawn without having the lock. A withdrawal may overtake the attempt that it ends. If that
 * attempt then created a node and its answer were lost, the node would stay for as long as the session. Thread-safe.
 */
public final class WithdrawnHolders {
    static final int MAX = 4096;

    private final Set<HolderId> latest = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<HolderId, Boolean> eldest) {
            return size() > MAX;
        }
    });

    public synchronized void add(HolderId holder) {
        latest.add(holder);
    }

    public synchronized boolean contains(HolderId holder) {
        return latest.contains(holder);
    }
}
