package io.hasp.zookeeper.recipe;

import io.hasp.zookeeper.session.CreatedNode;
import io.hasp.zookeeper.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Confirms all nodes of a session by one transaction, however many there are.
 *
 * <p>Each node has a watch. ZooKeeper delivers an event before the answers to later requests of the session, and a server answers a
 * transaction after it has applied all earlier ones. So a node whose watch has not fired by then existed when the transaction was
 * committed. A {@code sync} would not do: a leader that has lost its quorum answers one, and a quorum would have deleted the node since.
 *
 * <p>A node that can't be watched is checked by a transaction, as are all nodes while an application blocks the event thread.
 *
 * <p>A server of 3.8.4, 3.9.2 or later sends no event of a node that the session may not read, and a withdrawn permission fires no watch. So
 * every second beat lists the nodes of the session as well, which needs no permission. A node that is not in the list is checked. Older
 * servers than 3.6 have no such list, and hide no events.
 */
public final class NodeConfirmation {
    private static final int BEATS_PER_LISTING = 2;

    private NodeConfirmation() {}

    /**
     * Confirms the nodes, and notifies those that are gone. Each node then has the result. A node that another call lowers at the same
     * time may have left its path: the next confirmation decides.
     *
     * @param nodes not empty
     * @param beat a number that rises by one from beat to beat
     */
    public static CompletableFuture<Void> of(List<LockNode> nodes, Session session, long beat, long sentAt) {
        List<String> paths = nodes.stream().map(LockNode::path).toList();
        int changes = session.watcher().connectionChanges();
        boolean all = beat % BEATS_PER_LISTING == 0;
        return session.confirm(paths, () -> watched(nodes, paths, session, all)).thenAccept(codes -> {
            for (int i = 0; i < codes.size(); i++) {
                LockNode node = nodes.get(i);
                boolean moved = codes.get(i) == Code.NONODE && !node.vanished(paths.get(i));
                node.watch().result(moved ? Code.OPERATIONTIMEOUT : codes.get(i), sentAt, changes);
            }
        });
    }

    /** Asks for the list after the transaction, so that it is not older. A list that is too long is made up by reading each node. */
    private static CompletableFuture<List<Code>> watched(
            List<LockNode> nodes, List<String> paths, Session session, boolean all) {
        boolean listed = all && session.mayListOwnNodes();
        nodes.forEach(node -> node.watch().request(all && !listed));
        CompletableFuture<Code> proven = session.proveQuorum();
        CompletableFuture<Predicate<String>> present = listed
                ? listing(session, nodes.get(0).folder().root())
                : CompletableFuture.completedFuture(path -> true);
        return proven.thenCombine(
                        present,
                        (proof, exists) -> proof == Code.OK
                                ? checkUnwatched(nodes, paths, exists, session)
                                : CompletableFuture.completedFuture(Collections.nCopies(paths.size(), proof)))
                .thenCompose(codes -> codes);
    }

    /** The names of nodes are unique, and the list has the chroot. */
    private static CompletableFuture<Predicate<String>> listing(Session session, String root) {
        return session.ownNodes(root).thenApply(reply -> {
            if (!reply.ok()) {
                return path -> true;
            }
            Set<String> names = reply.get().stream().map(CreatedNode::nameOf).collect(Collectors.toSet());
            return path -> names.contains(CreatedNode.nameOf(path));
        });
    }

    private static CompletableFuture<List<Code>> checkUnwatched(
            List<LockNode> nodes, List<String> paths, Predicate<String> exists, Session session) {
        List<Code> codes = new ArrayList<>(paths.size());
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            Code code = nodes.get(i).watch().code(paths.get(i));
            codes.add(code);
            if (code != Code.NONODE && (code != Code.OK || !exists.test(paths.get(i)))) {
                open.add(i);
            }
        }
        if (open.isEmpty()) {
            return CompletableFuture.completedFuture(codes);
        }
        return session.checkEach(open.stream().map(paths::get).toList()).thenApply(answers -> {
            for (int i = 0; i < answers.size(); i++) {
                codes.set(open.get(i), answers.get(i));
            }
            return codes;
        });
    }
}
