package io.hasp.zookeeper.session;

import io.hasp.zookeeper.layout.NodeOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last node that a session held and deleted in each of the folders it used lately. If no other session entered the folder since,
 * the answer to the session's next create shows that the new node is the first, without a listing. Thread-safe.
 *
 * <p>The proof: ZooKeeper numbers the children of a folder in the order of their creation. The last node was the first, so nothing was
 * before it. The new node has the next number, so nothing was created in between, not even a token floor. And the last node is deleted.
 *
 * <p>This holds only if both numbers are of the same folder. A folder that was removed and recreated counts from zero again, and
 * may have counted as far. No transaction creates two children of a folder, except for numbers 0 and 1, which may come together with the
 * folder. So to create number n there, the servers need n - 1 transactions for the children after those and at least three more: the end of
 * the last node, the end of its folder, and the new folder. At least as many transaction ids lie between the two nodes. So a distance of at
 * most n rules it out.
 */
public final class LastDeletedNodes {
    static final int MAX_FOLDERS = 1024;

    /**
     * A node that was the first in its folder and is deleted.
     *
     * @param sequence its number in the folder
     * @param czxid the id of the transaction that created it
     * @param tokenFloor the token floor that stood when it was created
     * @param inferredFirst true if it was found to be the first without a listing
     */
    public record DeletedNode(long sequence, long czxid, long tokenFloor, boolean inferredFirst) {
        boolean directlyPrecedes(long nextSequence, long nextCzxid) {
            long transactions = nextCzxid - czxid;
            return nextSequence == sequence + 1
                    && nextSequence < NodeOrder.LAST_SEQUENCE
                    && transactions > 0
                    && transactions <= nextSequence;
        }
    }

    private final Map<String, DeletedNode> byFolder = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, DeletedNode> eldest) {
            return size() > MAX_FOLDERS;
        }
    };

    public synchronized void remember(String folder, DeletedNode last) {
        byFolder.put(folder, last);
    }

    /**
     * Returns the last node, if the new node directly follows it and so is the first; otherwise null, and a listing has to decide. In both
     * cases the last node is forgotten: a node that is the first replaces it when it is deleted, and any other node is not alone in the
     * folder.
     */
    public synchronized @Nullable DeletedNode takePredecessorOf(CreatedNode created, String folder) {
        DeletedNode last = byFolder.remove(folder);
        return last != null && last.directlyPrecedes(NodeOrder.sequence(created.name()), created.czxid()) ? last : null;
    }

    public synchronized void forget(String folder) {
        byFolder.remove(folder);
    }

    /** True if the last node was found to be the first without a listing, so that the next one probably needs none either. */
    public synchronized boolean listingUnlikely(String folder) {
        DeletedNode last = byFolder.get(folder);
        return last != null && last.inferredFirst();
    }
}
