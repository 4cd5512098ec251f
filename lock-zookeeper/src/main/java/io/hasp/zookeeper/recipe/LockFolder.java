package io.hasp.zookeeper.recipe;

import io.hasp.spi.LockName;
import io.hasp.zookeeper.layout.LockNameEncoding;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.layout.TokenFloorNode;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.FolderListing;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The parent node of one lock. It is a container node; its children are the nodes of the lock's holder and waiters, and its
 * token floors.
 *
 * @param lock the lock
 * @param path the node's path
 */
public record LockFolder(LockName lock, String path) {
    public static LockFolder of(String root, LockName lock) {
        return new LockFolder(lock, root + "/" + LockNameEncoding.of(lock));
    }

    /** The name of the lock if the path has only its beginning; otherwise empty. */
    byte[] data() {
        return LockNameEncoding.isShortened(path) ? lock.value().getBytes(StandardCharsets.UTF_8) : new byte[0];
    }

    /** The node below which all locks are; "/" for the top. */
    String root() {
        return path.substring(0, Math.max(1, path.lastIndexOf('/')));
    }

    /** The path of a child. */
    public String child(String name) {
        return path + "/" + name;
    }

    /**
     * Creates the folder and its missing parents in one round trip: one request creates the folder alone, the next one also its
     * parent, and so on. At most one of them fits what is missing. OK if the folder exists then, otherwise the reason.
     */
    CompletableFuture<Code> createWithParents(Session session) {
        List<CompletableFuture<RequestResult<Integer>>> tries = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String level = path; !level.isEmpty(); level = level.substring(0, level.lastIndexOf('/'))) {
            missing.add(0, level);
            tries.add(session.createContainers(missing, data()));
        }
        return CompletableFutures.allOf(tries).thenApply(this::created);
    }

    private Code created(List<RequestResult<Integer>> tries) {
        if (tries.get(0).code() == Code.NODEEXISTS || tries.stream().anyMatch(RequestResult::ok)) {
            return Code.OK;
        }
        RequestResult<Integer> refusal = tries.stream()
                .filter(reply -> !reply.noNode() && reply.code() != Code.NODEEXISTS)
                .findFirst()
                .orElse(RequestResult.of(Code.NONODE.intValue(), null));
        // A refusal after the first step concerns a node that the first step would have created.
        if (refusal.code() == Code.NOAUTH && refusal.value() != null && refusal.value() > 0) {
            throw ZooKeeperFailures.shutOut(path);
        }
        return refusal.code();
    }

    CompletableFuture<RequestResult<FolderListing>> list(Session session) {
        return CompletableFutures.fromCallback(then -> session.children(path, false, then));
    }

    /**
     * The path of the node with a holder's id, or an empty text, as of a moment after this call. The check is a quorum transaction: unlike
     * {@code sync}, a leader that was replaced without knowing it can't answer it.
     */
    CompletableFuture<String> find(String holder, Session session) {
        String action = "look for holder " + holder + " at " + path;
        CompletableFuture<List<Code>> barrier = session.check(List.of(path));
        return list(session).thenCombine(barrier, (listing, codes) -> {
            if (codes.get(0) == Code.NONODE) {
                return "";
            }
            if (codes.get(0) != Code.OK) {
                throw ZooKeeperFailures.of(codes.get(0), action);
            }
            return NodeOrder.find(listing.orFail(action).children(), holder)
                    .map(this::child)
                    .orElse("");
        });
    }

    /**
     * Deletes a node and then the folder, which the next creation of a node recreates. A folder that still has token floors is
     * recreated at once, with them. False if it has another holder or waiter.
     */
    CompletableFuture<Boolean> recreateWithout(String node, String action, Session session) {
        CompletableFuture<RequestResult<Boolean>> own =
                CompletableFutures.fromCallback(then -> session.delete(node, then));
        CompletableFuture<RequestResult<Boolean>> removed =
                CompletableFutures.fromCallback(then -> session.delete(path, then));
        return removed.thenCombine(own, (emptied, left) -> left.ok() || left.noNode() ? emptied : left)
                .thenCompose(emptied -> {
                    if (emptied.code() == Code.NOTEMPTY) {
                        return recreate(session);
                    }
                    if (!emptied.ok() && !emptied.noNode()) {
                        throw ZooKeeperFailures.of(emptied.code(), action);
                    }
                    return CompletableFuture.completedFuture(true);
                });
    }

    /**
     * Deletes and recreates a folder that has only token floors: its sequence starts again, the floors stay. False if it has
     * a holder or waiter.
     */
    private CompletableFuture<Boolean> recreate(Session session) {
        String action = "recreate the folder " + path;
        return list(session).thenCompose(listing -> {
            List<TokenFloorNode> floors =
                    TokenFloorNode.parseAll(listing.orFail(action).children());
            if (floors.size() < listing.get().children().size()) {
                return CompletableFuture.completedFuture(false);
            }
            return session.recreate(
                            path,
                            data(),
                            floors.stream().map(floor -> child(floor.name())).toList(),
                            floors.stream()
                                    .map(floor -> child(TokenFloorNode.prefix(floor.offset())))
                                    .toList())
                    .thenApply(reply -> {
                        if (!reply.ok() && !reply.noNode() && reply.code() != Code.NOTEMPTY) {
                            throw ZooKeeperFailures.of(reply.code(), action);
                        }
                        return reply.ok();
                    });
        });
    }
}
