package io.hasp.zookeeper.recipe;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.layout.NodeLabel;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.layout.SharedOrder;
import io.hasp.zookeeper.layout.TokenFloorNode;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * One call that makes all later tokens of a lock larger than a number. Later holders have a transaction id above every change of the
 * folder until now, so the offset of the {@link TokenFloorNode} need only fill the gap.
 *
 * <p>A client that may keep the lock would begin later leases with the token of its node. It notices the floor by the change of the folder,
 * and answers: it deletes its node, or marks it. So the call completes only when the first node of the folder belongs to no such client,
 * came after a floor, or is marked. Nodes behind the first can't be kept: their clients would list the folder after the first node is gone,
 * and so see the floor. If no floor came after some node of such a client, a new floor is created, even if its offset adds nothing. A new
 * floor is also created if a later reader may join an earlier node, because readers join only if no floor came after that node.
 */
public final class TokenFloorRaise {
    private static final int MAX_TRIES = 5;
    private static final Duration FIRST_LOOK = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    private final LockFolder folder;
    private final Session session;
    private final Timing timing;
    private final String action;
    private final long deadline;

    /**
     * Creates a call for a folder, which may not exist yet.
     *
     * @param limit the longest wait for a client that may keep the lock
     */
    public TokenFloorRaise(LockFolder folder, Session session, Timing timing, Duration limit) {
        this.folder = folder;
        this.session = session;
        this.timing = timing;
        this.action = "raise the token floor at " + folder.path();
        this.deadline = timing.nanoTime() + limit.minus(LONGEST_PAUSE).toNanos();
    }

    /** Completes when the server has the floor, and no grant with a smaller token can be kept. */
    public CompletableFuture<Void> to(long number) {
        return to(number, MAX_TRIES);
    }

    /** Another client may create a parent between two requests of {@link LockFolder#createWithParents}, so that none of them fits. */
    private CompletableFuture<Void> to(long number, int triesLeft) {
        CompletableFuture<Code> made = folder.createWithParents(session);
        CompletableFuture<RequestResult<Stat>> stat = session.stat(folder.path());
        return made.thenCompose(code -> {
            if (code == Code.NONODE && triesLeft > 1) {
                return to(number, triesLeft - 1);
            }
            if (code != Code.OK) {
                throw ZooKeeperFailures.of(code, action);
            }
            return list().thenCombine(stat, (children, present) -> inFolder(number, present, children))
                    .thenCompose(raised -> raised);
        });
    }

    private CompletableFuture<List<String>> list() {
        return folder.list(session).thenApply(listing -> listing.orFail(action).children());
    }

    private CompletableFuture<Void> inFolder(long number, RequestResult<Stat> stat, List<String> children) {
        long offset = number - stat.orFail(action).getPzxid();
        long highest = TokenFloorNode.highestOffset(children);
        CompletableFuture<List<String>> listed =
                offset > highest || anyUnasked(children) || SharedOrder.mayBeJoined(children)
                        ? create(Math.max(offset, highest)).thenCompose(created -> list())
                        : CompletableFuture.completedFuture(children);
        return listed.thenCompose(now -> tidy(now).thenCompose(tidied -> answered(now)));
    }

    /** True if a client that may keep the lock has a node with no floor after it, so that it was not notified of a floor. */
    private static boolean anyUnasked(List<String> children) {
        return children.stream()
                .anyMatch(child -> NodeOrder.sequence(child) >= 0
                        && NodeName.keeps(child)
                        && !TokenFloorNode.anyAfter(child, children));
    }

    private CompletableFuture<String> create(long offset) {
        return session.createPersistent(folder.child(TokenFloorNode.prefix(offset)))
                .thenApply(created -> created.orFail(action));
    }

    private CompletableFuture<Void> tidy(List<String> children) {
        return CompletableFutures.allOf(TokenFloorNode.outdated(children).stream()
                        .map(floor -> CompletableFutures.<RequestResult<Boolean>>fromCallback(
                                then -> session.delete(folder.child(floor.name()), then)))
                        .toList())
                .thenAccept(tidied -> {});
    }

    private CompletableFuture<Void> answered(List<String> children) {
        Optional<String> first = NodeOrder.first(children)
                .filter(node -> NodeName.keeps(node) && TokenFloorNode.anyAfter(node, children));
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (first.isPresent()) {
            look(folder.child(first.get()), FIRST_LOOK, done);
        } else {
            done.complete(null);
        }
        return done;
    }

    private void look(String node, Duration pause, CompletableFuture<Void> done) {
        session.data(node)
                .thenAccept(reply -> {
                    if (reply.noNode() || NodeLabel.returns(reply.orFail(action))) {
                        done.complete(null);
                    } else if (timing.nanoTime() + pause.toNanos() >= deadline) {
                        throw ZooKeeperFailures.keptSilently(action, node, text(reply.get()));
                    } else {
                        Duration twice = pause.multipliedBy(2);
                        Duration next = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
                        timing.schedule(pause, () -> look(node, next, done));
                    }
                })
                .exceptionally(failure -> {
                    done.completeExceptionally(BackendFailure.causeOf(failure));
                    return null;
                });
    }

    private static String text(byte[] label) {
        return new String(label, StandardCharsets.UTF_8);
    }
}
