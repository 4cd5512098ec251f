package io.hasp.zookeeper.operators;

import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.layout.LockQueue;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.session.CommandTimeout;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Shows the locks on ZooKeeper. Each call begins with a {@code sync}: the server of this session then knows every change that the leader had
 * made before the call. Reading needs the permission to read the folders and nodes, and sends no other requests. {@link #remove} needs the
 * permission to delete in the folder. Thread-safe.
 *
 * <ul>
 *   <li>Readers of one client share a node: they are one holder of weight 1, and are removed together.
 *   <li>The token of a holder is the transaction id of its node plus the token floor, as its own client counts it.
 *   <li>The begin of a grant is the creation of its node, so a holder that waited before has the begin of its wait. It is unknown for a holder
 *       that has given back a part of its weight.
 *   <li>A folder whose name is no name of a lock, or in which there is no node of Hasp, is not shown.
 *   <li>{@link Content#readAt} is an estimate, see {@link ServerClock}.
 * </ul>
 */
public final class ZooKeeperInspector implements Inspector {
    private static final int MAX_TRIES = 5;

    private final String root;
    private final Supplier<Session> session;
    private final CommandTimeout commandTimeout;
    private final LockReader reader;
    private final LockPages pages;

    /**
     * Creates an inspector. Sends nothing.
     *
     * @param root the node that has the folders
     * @param session the present session; throws a failure if there is none
     */
    public ZooKeeperInspector(String root, Supplier<Session> session, CommandTimeout commandTimeout, Timing timing) {
        this.root = root;
        this.session = session;
        this.commandTimeout = commandTimeout;
        this.reader = new LockReader(new ServerClock(timing));
        this.pages = new LockPages(root, reader, timing);
    }

    @Override
    public CompletionStage<Page> list(String prefix, String cursor) {
        return run("list the locks", now -> pages.read(prefix, cursor, now));
    }

    @Override
    public CompletionStage<Optional<Content>> find(LockName name) {
        return run("read the lock '" + name + "'", now -> reader.read(LockFolder.of(root, name), now));
    }

    @Override
    public CompletionStage<Boolean> remove(LockName name, Holder holder) {
        return run(action(name), now -> remove(LockFolder.of(root, name), holder, now, MAX_TRIES));
    }

    private static String action(LockName name) {
        return "end a grant of the lock '" + name + "'";
    }

    /** A follower may be behind the leader, which answers the {@code sync}. */
    private <T> CompletionStage<T> run(String action, Function<Session, CompletableFuture<T>> request) {
        return commandTimeout.run(action, answer -> {
            Session now = session.get();
            CompletableFutures.forward(
                    now.syncWithLeader().thenCompose(code -> {
                        if (code != Code.OK) {
                            throw ZooKeeperFailures.of(code, action);
                        }
                        return request.apply(now);
                    }),
                    answer);
        });
    }

    /**
     * Deletes the holder's node. Its path has the holder's id and is never used again, and a node that has its share keeps it: so the deletion
     * ends this grant or none. A holder that gives back a part of its weight has another node afterwards, which is looked for again.
     */
    private CompletableFuture<Boolean> remove(LockFolder folder, Holder holder, Session now, int triesLeft) {
        return now.reads().children(folder.path()).thenCompose(reply -> {
            List<String> children = reply.noNode() ? List.of() : reply.orFail(action(folder.lock()));
            Optional<NodeName> node = LockQueue.of(children).holders().stream()
                    .filter(each -> each.holder().equals(holder.id()))
                    .findFirst();
            return node.isEmpty()
                    ? CompletableFuture.completedFuture(false)
                    : hasToken(folder, node.get(), holder.token(), children, now)
                            .thenCompose(same -> same == Match.OTHER
                                    ? CompletableFuture.completedFuture(false)
                                    : same == Match.GONE
                                            ? again(folder, holder, now, triesLeft)
                                            : delete(folder, node.get(), holder, now, triesLeft));
        });
    }

    private enum Match {
        SAME,
        OTHER,
        GONE
    }

    private static CompletableFuture<Match> hasToken(
            LockFolder folder, NodeName node, long token, List<String> children, Session now) {
        return now.reads().read(List.of(folder.child(node.text()))).thenApply(replies -> {
            if (replies.get(0).noNode()) {
                return Match.GONE;
            }
            long found = LockReader.ReadNode.token(node, replies.get(0).orFail(action(folder.lock())), children);
            return found == token ? Match.SAME : Match.OTHER;
        });
    }

    private CompletableFuture<Boolean> delete(
            LockFolder folder, NodeName node, Holder holder, Session now, int triesLeft) {
        CompletableFuture<RequestResult<Boolean>> deletion =
                CompletableFutures.fromCallback(then -> now.delete(folder.child(node.text()), then));
        return deletion.thenCompose(reply -> reply.noNode()
                ? again(folder, holder, now, triesLeft)
                : CompletableFuture.completedFuture(reply.orFail(action(folder.lock()))));
    }

    private CompletableFuture<Boolean> again(LockFolder folder, Holder holder, Session now, int triesLeft) {
        if (triesLeft == 1) {
            throw ZooKeeperFailures.notSent(
                    "could not " + action(folder.lock()) + ": its holder gives back its weight again and again", null);
        }
        return remove(folder, holder, now, triesLeft - 1);
    }
}
