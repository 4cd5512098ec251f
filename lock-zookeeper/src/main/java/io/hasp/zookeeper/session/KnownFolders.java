package io.hasp.zookeeper.session;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The folders in which a session created nodes lately, and a guess for the others: the next unknown folder is probably missing if the last one
 * was. A wrong guess costs a request. Thread-safe.
 */
public final class KnownFolders {
    static final int MAX_FOLDERS = 4096;

    /** So many unknown folders in a row were there. */
    private static final int SURE = 2;

    private final Map<String, Boolean> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_FOLDERS;
        }
    };

    private boolean lastWasMissing;
    private int foundInARow;

    public synchronized boolean probablyMissing(String folder) {
        return lastWasMissing && !known.containsKey(folder);
    }

    /** True if a request that needs the folder will hardly fail. */
    synchronized boolean probablyThere(String folder) {
        return foundInARow >= SURE || known.containsKey(folder);
    }

    /** The folder exists; it was found, not created by this session. */
    public synchronized void found(String folder) {
        if (known.put(folder, Boolean.TRUE) == null) {
            lastWasMissing = false;
            foundInARow = Math.min(SURE, foundInARow + 1);
        }
    }

    /** The folder exists since this session created it. */
    public synchronized void created(String folder) {
        if (known.put(folder, Boolean.TRUE) == null) {
            lastWasMissing = true;
            foundInARow = 0;
        }
    }

    /** The folder was not there. */
    public synchronized void missing(String folder) {
        known.remove(folder);
        foundInARow = 0;
    }
}
