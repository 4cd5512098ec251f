package io.hasp.zookeeper;

import io.hasp.spi.HolderId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The holders that were withdrawn last without having a lock. A withdrawal may overtake the attempt that it ends; if that one
 * made a node then, and its answer were lost, nobody would ever delete it. Thread-safe.
 */
final class Withdrawn {
    static final int MOST = 4096;

    private final Set<HolderId> latest = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<HolderId, Boolean> eldest) {
            return size() > MOST;
        }
    });

    synchronized void add(HolderId holder) {
        latest.add(holder);
    }

    synchronized boolean contains(HolderId holder) {
        return latest.contains(holder);
    }
}
