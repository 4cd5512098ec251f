package io.hasp.zookeeper.recipe;

import io.hasp.zookeeper.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Confirms all nodes of a session by one transaction, however many there are.
 *
 * <p>Each node has a watch. ZooKeeper delivers an event before the answers to later requests of the session, and a server answers a
 * transaction after it has applied all earlier ones. So a node whose watch has not fired by then existed when the transaction was
 * committed. A {@code sync} would not do: a leader that has lost its quorum answers one, and a quorum would have deleted the node since.
 *
 * <p>A node that can't be watched is checked by a transaction, as are all nodes while an application blocks the event thread.
 */
public final class NodeConfirmation {
    /** One of so many beats reads a node again that has a watch: a permission that was withdrawn fires no watch, and hides events. */
    private static final int BEATS_PER_READ = 64;

    private NodeConfirmation() {}

    /**
     * Confirms the nodes, and notifies those that are gone. Each node then has the result. A node that another call lowers at the same
     * time may have left its path: the next confirmation decides.
     *
     * @param beat a number that rises by one from beat to beat
     */
    public static CompletableFuture<Void> of(List<LockNode> nodes, Session session, long beat, long sentAt) {
        List<String> paths = nodes.stream().map(LockNode::path).toList();
        int changes = session.watcher().connectionChanges();
        return session.confirm(paths, () -> watched(nodes, paths, session, beat))
                .thenAccept(codes -> {
                    for (int i = 0; i < codes.size(); i++) {
                        LockNode node = nodes.get(i);
                        boolean moved = codes.get(i) == Code.NONODE && !node.vanished(paths.get(i));
                        node.watch().result(moved ? Code.OPERATIONTIMEOUT : codes.get(i), sentAt, changes);
                    }
                });
    }

    private static CompletableFuture<List<Code>> watched(
            List<LockNode> nodes, List<String> paths, Session session, long beat) {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).watch().request((paths.get(i).hashCode() + beat) % BEATS_PER_READ == 0);
        }
        return session.proveQuorum().thenCompose(proof -> {
            if (proof != Code.OK) {
                return CompletableFuture.completedFuture(
                        paths.stream().map(path -> proof).toList());
            }
            return checkUnwatched(nodes, paths, session);
        });
    }

    private static CompletableFuture<List<Code>> checkUnwatched(
            List<LockNode> nodes, List<String> paths, Session session) {
        List<Code> codes = new ArrayList<>(paths.size());
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            Code code = nodes.get(i).watch().code(paths.get(i));
            codes.add(code);
            if (code != Code.OK && code != Code.NONODE) {
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
