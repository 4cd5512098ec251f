package io.hasp.zookeeper.recipe;

import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.session.CreatedNode;
import io.hasp.zookeeper.session.FolderWatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one node of an exclusive lock whose folder is watched: the events show when the node is the first, see {@link FolderWatch}.
 * Thread-safe; signals outside the monitor.
 */
final class FolderWait implements FolderWatch.Listener {
    private final LockNode node;
    private final Runnable wake;
    private @Nullable FolderWatch watch;
    /** The watch whose events proved that the node is the first. */
    private volatile @Nullable FolderWatch proof;

    /**
     * Creates a wait that does not follow the folder yet.
     *
     * @param wake called when the node is the first, or only a listing decides
     */
    FolderWait(LockNode node, Runnable wake) {
        this.node = node;
        this.wake = wake;
    }

    /** Follows the folder, if the events will decide. False if the node needs watches of its own. */
    boolean begin() {
        FolderWatch present = node.session().folderWatches().on(node.folder().path());
        if (present == null) {
            return false;
        }
        synchronized (this) {
            watch = present;
        }
        boolean follows = present.follow(own(), this);
        if (!follows) {
            end();
        }
        return follows;
    }

    /** True if events prove that the node is the first. It may be gone since they woke the waiter. */
    boolean provesFirst() {
        FolderWatch shown = proof;
        List<String> children = shown == null ? null : shown.decidingFor(own());
        return children != null && isFirst(children);
    }

    private boolean isFirst(List<String> children) {
        return NodeOrder.position(children, own()) instanceof NodeOrder.Position.First;
    }

    private String own() {
        return CreatedNode.nameOf(node.path());
    }

    @Override
    public void changed() {
        FolderWatch present;
        synchronized (this) {
            present = watch;
        }
        if (present == null) {
            return;
        }
        List<String> children = present.decidingFor(own());
        if (children != null && !isFirst(children)) {
            return;
        }
        proof = children == null ? null : present;
        end();
        wake.run();
    }

    void end() {
        FolderWatch present;
        synchronized (this) {
            present = watch;
            watch = null;
        }
        if (present != null) {
            present.leave(this);
        }
    }
}
