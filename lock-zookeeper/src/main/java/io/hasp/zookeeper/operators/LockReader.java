package io.hasp.zookeeper.operators;

import io.hasp.spi.Inspector;
import io.hasp.spi.Inspector.Content;
import io.hasp.spi.Inspector.Holder;
import io.hasp.spi.Inspector.State;
import io.hasp.spi.Inspector.Waiter;
import io.hasp.zookeeper.layout.LockQueue;
import io.hasp.zookeeper.layout.NodeLabel;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.TokenFloorNode;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.session.NodeReads;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Reads one lock: a listing of its folder, then the data of its nodes. If a holder's node goes in between, the folder is listed again, a few
 * times at most. Thread-safe.
 */
final class LockReader {
    private static final int MAX_TRIES = 5;

    private final ServerClock clock;

    LockReader(ServerClock clock) {
        this.clock = clock;
    }

    /** Completes with the lock; empty if it has neither holder nor waiter. */
    CompletableFuture<Optional<Content>> read(LockFolder folder, Session session) {
        return read(folder, session, MAX_TRIES);
    }

    private CompletableFuture<Optional<Content>> read(LockFolder folder, Session session, int triesLeft) {
        return children(folder, session)
                .thenCompose(children -> read(folder, session, children, LockQueue.of(children), triesLeft));
    }

    /** The children of the folder; none if it does not exist. */
    static CompletableFuture<List<String>> children(LockFolder folder, Session session) {
        return folder.list(session)
                .thenApply(reply -> reply.noNode()
                        ? List.of()
                        : reply.orFail(action(folder)).children());
    }

    private static String action(LockFolder folder) {
        return "read the lock at " + folder.path();
    }

    private CompletableFuture<Optional<Content>> read(
            LockFolder folder, Session session, List<String> children, LockQueue queue, int triesLeft) {
        if (queue.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        List<NodeName> shown = new ArrayList<>(queue.holders());
        shown.addAll(queue.waiters().stream().limit(Inspector.MOST_WAITERS).toList());
        return session.reads()
                .read(shown.stream().map(node -> folder.child(node.text())).toList())
                .thenCompose(replies -> {
                    List<ReadNode> present = present(folder, shown, replies);
                    if (present.size() == shown.size()) {
                        return CompletableFuture.completedFuture(
                                Optional.of(content(folder, queue, children, present)));
                    }
                    boolean holderGone = present.size() < queue.holders().size()
                            || !present.get(queue.holders().size() - 1)
                                    .name()
                                    .equals(queue.holders().get(queue.holders().size() - 1));
                    return holderGone && triesLeft > 1
                            ? read(folder, session, triesLeft - 1)
                            : CompletableFuture.completedFuture(without(folder, children, shown, present));
                });
    }

    private List<ReadNode> present(
            LockFolder folder, List<NodeName> shown, List<RequestResult<NodeReads.Content>> replies) {
        List<ReadNode> present = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            RequestResult<NodeReads.Content> reply = replies.get(i);
            if (!reply.noNode()) {
                NodeReads.Content read = reply.orFail(action(folder));
                clock.read(read.stat());
                present.add(new ReadNode(shown.get(i), read));
            }
        }
        return present;
    }

    /** The lock without the nodes that are gone. A node has its share once the nodes before it that leave no room are gone. */
    private Optional<Content> without(
            LockFolder folder, List<String> children, List<NodeName> shown, List<ReadNode> present) {
        Set<String> gone = new HashSet<>();
        shown.forEach(node -> gone.add(node.text()));
        present.forEach(node -> gone.remove(node.name().text()));
        List<String> left =
                children.stream().filter(child -> !gone.contains(child)).toList();
        LockQueue queue = LockQueue.of(left);
        return present.isEmpty() ? Optional.empty() : Optional.of(content(folder, queue, left, present));
    }

    private Content content(LockFolder folder, LockQueue queue, List<String> children, List<ReadNode> read) {
        int held = queue.holders().size();
        List<Holder> holders =
                read.stream().limit(held).map(node -> node.holder(children)).toList();
        return new Content(
                folder.lock(),
                queue.capacity(),
                holders,
                read.stream().skip(held).map(ReadNode::waiter).toList(),
                queue.waiters().size(),
                holders.stream().mapToLong(Holder::token).max().orElse(0),
                clock.now(),
                List.of());
    }

    /** A node and its content. */
    record ReadNode(NodeName name, NodeReads.Content content) {
        /** The token of the node's grant, as its own client counts it. */
        static long token(NodeName name, NodeReads.Content content, List<String> children) {
            long first = NodeLabel.parse(content.text()).czxid();
            return (first > 0 ? first : content.stat().getCzxid()) + TokenFloorNode.offsetFor(name.text(), children);
        }

        private Holder holder(List<String> children) {
            NodeLabel label = label();
            return new Holder(
                    name.holder(),
                    token(name, content, children),
                    name.share().weight(),
                    name.keeps() && !label.returns() ? State.RECALLABLE : State.HELD,
                    label.text(),
                    label.czxid() > 0 ? Optional.empty() : created(),
                    Optional.empty());
        }

        private Waiter waiter() {
            return new Waiter(name.holder(), name.share().weight(), label().text(), created());
        }

        private NodeLabel label() {
            return NodeLabel.parse(content.text());
        }

        private Optional<Instant> created() {
            return Optional.of(Instant.ofEpochMilli(content.stat().getCtime()));
        }
    }
}
