package io.hasp.zookeeper.layout;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The children of a lock's folder: one listing, and the events of a recursive watch since then. Knows nothing before the first listing, and
 * after anything that does not fit, until the next listing. A pure state machine, see docs/decisions/0046; not thread-safe.
 *
 * <p>ZooKeeper numbers the children of a folder without gaps. A listing shows how many there have been, so each creation has to have the next
 * number: a client that may not read a node gets no event of it, but finds the gap.
 */
public final class WatchedFolder {
    private static final long UNKNOWN = -1;

    /** Creations that are remembered while the children are unknown. */
    private static final int MOST_SEEN = 64;

    private final Set<String> children = new LinkedHashSet<>();
    /** Children whose creation was reported, so that their deletion will be reported, too. */
    private final Set<String> seen = new HashSet<>();

    private long next = UNKNOWN;

    /**
     * Takes a listing that the server answered after it had set the watch.
     *
     * @param created the number of children that were created in the folder so far; negative if it is unknown
     */
    public void listed(List<String> listed, long created) {
        children.clear();
        children.addAll(listed);
        seen.retainAll(children);
        next = created < 0 || created >= NodeOrder.LAST_SEQUENCE ? UNKNOWN : created;
    }

    /** A child was created. */
    public void created(String child) {
        if (seen.size() >= MOST_SEEN) {
            forget();
        }
        seen.add(child);
        if (!known()) {
            return;
        }
        long number = NodeOrder.appended(child);
        boolean fits = number < 0 || number == next;
        if (fits && next + 1 < NodeOrder.LAST_SEQUENCE && children.add(child)) {
            next++;
        } else {
            forget();
        }
    }

    /** A child was deleted. */
    public void deleted(String child) {
        seen.remove(child);
        if (known() && !children.remove(child)) {
            forget();
        }
    }

    /** The folder was deleted, or events may be missing. */
    public void forget() {
        children.clear();
        seen.clear();
        next = UNKNOWN;
    }

    /** True if a listing would show nothing new. */
    public boolean known() {
        return next != UNKNOWN;
    }

    /** The number of children, as far as they are known. */
    public int size() {
        return children.size();
    }

    /**
     * The children, if they decide the place of a node: they are known, the node is among them, and the deletion of each node before it
     * will be reported. Null if only a listing decides.
     */
    public @Nullable List<String> decidingFor(String own) {
        if (!known() || !children.contains(own)) {
            return null;
        }
        long mine = NodeOrder.sequence(own);
        for (String child : children) {
            long theirs = NodeOrder.sequence(child);
            if (theirs >= 0 && theirs < mine && !seen.contains(child)) {
                return null;
            }
        }
        return List.copyOf(children);
    }
}
