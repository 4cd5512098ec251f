package io.hasp.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last node that one session held, and certainly gave up, in each of the folders it used lately. Whoever comes back to a
 * folder that nobody entered meanwhile learns from the answer to its create alone that it is the first, without a listing.
 * Thread-safe.
 *
 * <p>Why that is so: ZooKeeper numbers the children of a folder in the order of their creation. The last node was the first
 * in the line, so nothing was before it; the new one has the next number, so nothing, not even a token floor, came in
 * between; and the last one is gone. It takes that both numbers are of the same folder, and not of one that was removed, made
 * anew, and has counted as far again. To get to the new node's number n that other one would have taken n transactions for the
 * children before it (number 0 may have come together with its beginning), and at least three more: for the ends of the last node
 * and its folder, and for the new node.
 * Transaction ids are never closer together than the transactions are many, so at most n of them rule it out.
 */
final class LastPlaces {
    static final int MOST_FOLDERS = 1024;

    /**
     * A node that was the first in its folder and is gone.
     *
     * @param sequence its number in the folder
     * @param transaction what created it
     * @param floor the token floor below it
     * @param followed whether it came next after such a node itself
     */
    record Last(long sequence, long transaction, long floor, boolean followed) {
        boolean comesBefore(long nextSequence, long nextTransaction) {
            long transactions = nextTransaction - transaction;
            return nextSequence == sequence + 1
                    && nextSequence < Line.LAST_SEQUENCE
                    && transactions > 0
                    && transactions <= nextSequence;
        }
    }

    private final Map<String, Last> byFolder = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Last> eldest) {
            return size() > MOST_FOLDERS;
        }
    };

    synchronized void left(Folder folder, Last last) {
        byFolder.put(folder.path(), last);
    }

    /**
     * The last node, if a new one is the first because it comes next after that one; otherwise null, and a listing tells.
     * Used up either way: who is the first will leave a last node itself, and who is not knows that somebody is there.
     */
    synchronized @Nullable Last before(Session.Created created, Folder folder) {
        Last last = byFolder.remove(folder.path());
        return last != null && last.comesBefore(Line.sequence(Folder.name(created.path())), created.czxid())
                ? last
                : null;
    }

    synchronized void forget(Folder folder) {
        byFolder.remove(folder.path());
    }

    /** Whether nobody else seems to use the folder, so that a listing will hardly be needed. */
    synchronized boolean alone(Folder folder) {
        Last last = byFolder.get(folder.path());
        return last != null && last.followed();
    }
}
