package io.hasp.zookeeper;

import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionPaths;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The nodes of a backend by their holders. Counts the bytes of their paths for each session. Thread-safe. */
final class HolderNodes {
    private final Map<HolderId, LockNode> nodes = new ConcurrentHashMap<>();
    private final String root;
    private final int bytesBesides;

    HolderNodes(String servers, String root) {
        this.root = root;
        this.bytesBesides = bytesBesides(servers, root);
    }

    /** A view of all nodes, safe to iterate while nodes come and go. */
    Collection<LockNode> all() {
        return nodes.values();
    }

    @Nullable
    LockNode get(HolderId holder) {
        return nodes.get(holder);
    }

    boolean contains(HolderId holder) {
        return nodes.containsKey(holder);
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    int size() {
        return nodes.size();
    }

    /** The holder's node, a new one if it has none. Throws a failure if the session has no room. */
    LockNode of(Claim claim, Session session, Supplier<Session> currentSession, boolean replaces) {
        return nodes.computeIfAbsent(claim.holder(), holder -> newNode(claim, session, currentSession, replaces));
    }

    private LockNode newNode(Claim claim, Session session, Supplier<Session> currentSession, boolean replaces) {
        LockNode node = new LockNode(LockFolder.of(root, claim.name()), claim, session, currentSession);
        SessionPaths paths = session.paths();
        if (replaces) {
            paths.addReplacement(claim.name(), bytesOf(node));
        } else if (!paths.tryAdd(claim.name(), bytesOf(node))) {
            throw ZooKeeperFailures.sessionFull(claim.name(), paths.bytes());
        }
        return node;
    }

    void forget(LockNode node) {
        if (nodes.remove(node.holder(), node)) {
            node.session().paths().remove(node.folder().lock(), bytesOf(node));
        }
    }

    private int bytesOf(LockNode node) {
        return SessionPaths.bytesOf(node.folder().path(), node.holder().value()) + bytesBesides;
    }

    /** The bytes of a path that its characters do not show: of a chroot, and of characters that are not ASCII. */
    private static int bytesBesides(String servers, String root) {
        int chroot = servers.indexOf('/');
        String hidden = chroot < 0 ? "" : servers.substring(chroot);
        return (hidden + root).getBytes(StandardCharsets.UTF_8).length - root.length();
    }
}
