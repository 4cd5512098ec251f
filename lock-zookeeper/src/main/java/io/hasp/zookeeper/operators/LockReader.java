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
import io.hasp.zookeeper.session.CompletableFutures;
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
 * Reads locks: the children of their folders, then the data of the nodes. If a holder's node goes in between, its folder is listed again, a few
 * times at most. Thread-safe.
 */
final class LockReader {
    private static final int MAX_TRIES = 5;

    private final ServerClock clock;

    LockReader(ServerClock clock) {
        this.clock = clock;
    }

    /** A folder that exists, and the number of its children. */
    record Folder(LockFolder folder, int children) {}

    /** A folder that has nodes of Hasp, and the nodes that are shown. */
    private record Listed(LockFolder folder, List<String> children, LockQueue queue, List<NodeName> shown) {
        private static Listed of(LockFolder folder, List<String> children) {
            LockQueue queue = LockQueue.of(children);
            List<NodeName> shown = new ArrayList<>(queue.holders());
            shown.addAll(queue.waiters().stream().limit(Inspector.MOST_WAITERS).toList());
            return new Listed(folder, children, queue, shown);
        }
    }

    /** Completes with the lock; empty if it has neither holder nor waiter. */
    CompletableFuture<Optional<Content>> read(LockFolder folder, Session session) {
        return read(folder, session, MAX_TRIES);
    }

    private CompletableFuture<Optional<Content>> read(LockFolder folder, Session session, int triesLeft) {
        return session.reads().read(List.of(folder.path())).thenCompose(replies -> {
            RequestResult<NodeReads.Content> reply = replies.get(0);
            if (reply.noNode()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            int children = reply.orFail(action(folder)).stat().getNumChildren();
            return read(List.of(new Folder(folder, children)), session, triesLeft)
                    .thenApply(found -> found.stream().findFirst());
        });
    }

    /** Completes with the locks that have a holder or waiter. */
    CompletableFuture<List<Content>> read(List<Folder> folders, Session session) {
        return read(folders, session, MAX_TRIES);
    }

    private CompletableFuture<List<Content>> read(List<Folder> folders, Session session, int triesLeft) {
        List<NodeReads.Parent> parents = folders.stream()
                .map(each -> new NodeReads.Parent(each.folder().path(), each.children()))
                .toList();
        return session.reads().children(parents).thenCompose(replies -> {
            List<Listed> listed = new ArrayList<>();
            for (int i = 0; i < replies.size(); i++) {
                LockFolder folder = folders.get(i).folder();
                if (!replies.get(i).noNode()) {
                    listed.add(Listed.of(folder, replies.get(i).orFail(action(folder))));
                }
            }
            return contents(listed, session, triesLeft);
        });
    }

    static String action(LockFolder folder) {
        return "read the lock at " + folder.path();
    }

    private CompletableFuture<List<Content>> contents(List<Listed> listed, Session session, int triesLeft) {
        List<String> nodes = listed.stream()
                .flatMap(each -> each.shown().stream().map(node -> each.folder().child(node.text())))
                .toList();
        return session.reads().read(nodes).thenCompose(replies -> {
            List<CompletableFuture<Optional<Content>>> contents = new ArrayList<>();
            int from = 0;
            for (Listed each : listed) {
                int to = from + each.shown().size();
                contents.add(content(each, replies.subList(from, to), session, triesLeft));
                from = to;
            }
            return CompletableFutures.allOf(contents)
                    .thenApply(all -> all.stream().flatMap(Optional::stream).toList());
        });
    }

    private CompletableFuture<Optional<Content>> content(
            Listed listed, List<RequestResult<NodeReads.Content>> replies, Session session, int triesLeft) {
        List<ReadNode> present = new ArrayList<>();
        Set<String> gone = new HashSet<>();
        int held = listed.queue().holders().size();
        boolean holderGone = false;
        for (int i = 0; i < replies.size(); i++) {
            NodeName name = listed.shown().get(i);
            if (replies.get(i).noNode()) {
                gone.add(name.text());
                holderGone |= i < held;
            } else {
                NodeReads.Content read = replies.get(i).orFail(action(listed.folder()));
                clock.read(read.stat());
                present.add(new ReadNode(name, read));
            }
        }
        return holderGone && triesLeft > 1
                ? read(listed.folder(), session, triesLeft - 1)
                : CompletableFuture.completedFuture(content(listed, present, gone));
    }

    /** The lock without the nodes that are gone. A node has its share once the nodes before it that leave no room are gone. */
    private Optional<Content> content(Listed listed, List<ReadNode> present, Set<String> gone) {
        if (present.isEmpty()) {
            return Optional.empty();
        }
        List<String> children = listed.children().stream()
                .filter(child -> !gone.contains(child))
                .toList();
        LockQueue queue = LockQueue.of(children);
        int held = queue.holders().size();
        List<Holder> holders =
                present.stream().limit(held).map(node -> node.holder(children)).toList();
        return Optional.of(new Content(
                listed.folder().lock(),
                queue.capacity(),
                holders,
                present.stream()
                        .skip(held)
                        .filter(node -> queue.isOfItsKind(node.name()))
                        .map(ReadNode::waiter)
                        .toList(),
                (int) queue.waiters().stream().filter(queue::isOfItsKind).count(),
                holders.stream().mapToLong(Holder::token).max().orElse(0),
                clock.now(),
                List.of()));
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
