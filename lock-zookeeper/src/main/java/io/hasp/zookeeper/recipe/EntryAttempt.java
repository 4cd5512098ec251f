package io.hasp.zookeeper.recipe;

import static java.util.Objects.requireNonNull;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Share;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.layout.SharedOrder;
import io.hasp.zookeeper.layout.TokenFloorNode;
import io.hasp.zookeeper.recipe.LockNode.State;
import io.hasp.zookeeper.session.CreatedNode;
import io.hasp.zookeeper.session.FolderListing;
import io.hasp.zookeeper.session.FolderWatches;
import io.hasp.zookeeper.session.LastDeletedNodes;
import io.hasp.zookeeper.session.NodeRequests;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * One attempt to get the lock with a {@link LockNode}: its requests, and the meaning of their answers.
 *
 * <p>Entering costs one round trip: create and listing, back to back. Requests of a session are served in order, so the listing
 * sees the node. A session that re-enters a folder that no other client uses needs no listing, see {@link LastDeletedNodes}. Neither does a
 * session that watches the folder, see {@link FolderWatches}. Other waiters watch their predecessor in a second round trip, see {@link
 * PredecessorWatch}; the answer does not wait for that.
 *
 * <p>A node whose client may keep the lock always lists, and its listing sets a watch on the folder, see {@link RecallWatch}.
 */
final class EntryAttempt {
    private static final int MAX_TRIES = 8;

    private final LockNode node;
    private final LockFolder folder;
    private final Session session;
    private final CompletableFuture<EntryResult> result = new CompletableFuture<>();

    EntryAttempt(LockNode node) {
        this.node = node;
        this.folder = node.folder();
        this.session = node.session();
    }

    LockFolder folder() {
        return folder;
    }

    Session session() {
        return session;
    }

    /** True if the listings set a watch on the folder. */
    boolean recallable() {
        return node.recall() != null;
    }

    /** Completes when the node is ready for the next attempt; fails with a {@link BackendFailure}. */
    CompletableFuture<EntryResult> result() {
        return result;
    }

    /**
     * Runs a step. If it throws, the attempt fails with that: on ZooKeeper's event thread the failure would be lost. After a
     * failure no step runs; {@link NodeRemoval} finds what the requests under way create.
     */
    void run(Consumer<EntryAttempt> step) {
        if (result.isDone()) {
            return;
        }
        try {
            step.accept(this);
        } catch (RuntimeException | Error failure) {
            failed(failure);
        }
    }

    private <T> void after(CompletableFuture<T> pending, Consumer<T> next) {
        pending.whenComplete((answer, failure) -> {
            if (failure == null) {
                run(me -> next.accept(answer));
            } else {
                failed(BackendFailure.causeOf(failure));
            }
        });
    }

    private void failed(Throwable failure) {
        boolean noNode = node.state() == State.NONE;
        node.attemptEnded(this);
        result.completeExceptionally(noNode ? failure : ZooKeeperFailures.afterCreation(failure));
    }

    private void conclude(State now, EntryResult found) {
        EntryResult concluded = node.conclude(now, found);
        node.attemptEnded(this);
        result.complete(concluded);
    }

    private String action() {
        return "queue for the lock at " + folder.path();
    }

    /** Continues from what is known of the node. */
    void next() {
        if (node.waiting().knownGranted()) {
            becomeHolder();
            return;
        }
        switch (node.state()) {
            case NONE -> enter();
            case UNKNOWN -> recover();
            case QUEUED -> poll();
            case HELD -> confirm();
            case VANISHED -> conclude(State.VANISHED, EntryResult.GONE);
        }
    }

    private void enter() {
        if (session.nodes().folders().probablyMissing(folder.path())) {
            enterNewFolder(MAX_TRIES);
        } else {
            enterFolder(MAX_TRIES);
        }
    }

    private void enterFolder(int triesLeft) {
        EntryListing listing = new EntryListing(
                this,
                maySkipListing()
                        && (session.lastDeletedNodes().listingUnlikely(folder.path())
                                || session.folderWatches().knowsChildren(folder.path())));
        create(listing, reply -> run(me -> created(reply, listing, triesLeft)));
    }

    private boolean maySkipListing() {
        return node.exclusive() && !recallable();
    }

    /** Until the answer is there, and if it never comes, the node may exist. */
    private void create(EntryListing listing, Consumer<RequestResult<CreatedNode>> then) {
        node.state(State.UNKNOWN);
        session.nodes().create(node.pathPrefix(), node.data(), behind(listing), then);
    }

    private NodeRequests.Behind behind(EntryListing listing) {
        return new NodeRequests.Behind() {
            @Override
            public void send() {
                run(me -> listing.sendAlong());
            }

            @Override
            public boolean wanted() {
                return !result.isDone();
            }
        };
    }

    /** Creates the node and deletes an earlier holder's, in one transaction. A holder that has a node keeps it. */
    void replace(LockNode earlier) {
        if (node.state() != State.NONE) {
            next();
            return;
        }
        EntryListing listing = new EntryListing(
                this,
                maySkipListing()
                        && (earlier.inferredFirst() || session.folderWatches().knowsChildren(folder.path())));
        node.state(State.UNKNOWN);
        earlier.replacementSent();
        session.nodes()
                .replace(
                        earlier.path(),
                        node.pathPrefix(),
                        node.data(),
                        behind(listing),
                        reply -> run(me -> {
                            if (reply.ok()) {
                                earlier.replaced();
                            } else if (ZooKeeperFailures.outcome(reply.code()) == BackendFailure.Outcome.NOT_APPLIED) {
                                earlier.replacementRefused();
                            }
                            if (reply.noNode()) {
                                session.lastDeletedNodes().forget(folder.path());
                                enterFolder(MAX_TRIES);
                            } else {
                                created(reply, listing, MAX_TRIES);
                            }
                        }));
    }

    /** Handles the answer to the creation. */
    private void created(RequestResult<CreatedNode> created, EntryListing listing, int triesLeft) {
        if (created.ok()) {
            node.created(created.get().path(), created.get().czxid());
            session.nodes().folders().found(folder.path());
            LastDeletedNodes.DeletedNode last = maySkipListing()
                    ? session.lastDeletedNodes().takePredecessorOf(created.get(), folder.path())
                    : null;
            if (last != null) {
                node.firstAfter(last);
                becomeHolder();
            } else {
                place(listing);
            }
        } else if (created.noNode() && triesLeft > 0) {
            session.lastDeletedNodes().forget(folder.path());
            session.nodes().folders().missing(folder.path());
            enterNewFolder(triesLeft - 1);
        } else {
            notCreated(created);
        }
    }

    /** Finds the place of the new node, by the events of a watch on the folder or by the listing. */
    private void place(EntryListing listing) {
        FolderListing byEvents = maySkipListing()
                ? session.folderWatches().decidingFor(folder.path(), CreatedNode.nameOf(node.path()))
                : null;
        if (byEvents != null) {
            listed(byEvents, false);
        } else {
            listing.need();
        }
    }

    private void notCreated(RequestResult<CreatedNode> refusal) {
        if (ZooKeeperFailures.outcome(refusal.code()) == BackendFailure.Outcome.NOT_APPLIED) {
            node.state(State.NONE);
        }
        CreatedNode none = refusal.orFail(action());
        throw new IllegalStateException("a refusal with " + none);
    }

    /** Creates the folder and the node, in one transaction, which proves that the node is the first. */
    private void enterNewFolder(int triesLeft) {
        node.state(State.UNKNOWN);
        session.nodes()
                .createWithFolder(
                        folder.path(),
                        folder.data(),
                        node.pathPrefix(),
                        node.data(),
                        reply -> run(me -> createdWithFolder(reply, triesLeft)));
    }

    private void createdWithFolder(RequestResult<CreatedNode> created, int triesLeft) {
        if (created.ok()) {
            node.created(created.get().path(), created.get().czxid());
            session.nodes().folders().created(folder.path());
            if (recallable()) {
                new EntryListing(this, true).need();
            } else {
                node.firstOfAll();
                becomeHolder();
            }
        } else if (created.code() == Code.NODEEXISTS && triesLeft > 0) {
            session.nodes().folders().found(folder.path());
            enterFolder(triesLeft - 1);
        } else if (created.noNode() && triesLeft > 0) {
            enterWithParents(triesLeft - 1);
        } else {
            notCreated(created);
        }
    }

    /** Creates the folder with its missing parents, and the node, in one round trip. ZooKeeper may remove the empty folder in between. */
    private void enterWithParents(int triesLeft) {
        EntryListing listing = new EntryListing(this, false);
        CompletableFuture<Code> folderCreated = folder.createWithParents(session);
        create(
                listing,
                reply -> after(folderCreated, made -> {
                    if (reply.ok()) {
                        session.nodes().folders().created(folder.path());
                    }
                    created(
                            reply.noNode() && made != Code.OK ? RequestResult.of(made.intValue(), null) : reply,
                            listing,
                            triesLeft);
                }));
    }

    /** As long as the folder has not changed since the listing, the node waits for the same nodes, which it watches. */
    private void poll() {
        if (recallable() || !node.waiting().undisturbed()) {
            new EntryListing(this, true).need();
            return;
        }
        session.lastChange(
                folder.path(),
                reply -> run(me -> {
                    if (!reply.noNode()
                            && reply.orFail(action()) == node.waiting().listedChange()) {
                        conclude(State.QUEUED, EntryResult.WAITING);
                    } else {
                        new EntryListing(this, true).need();
                    }
                }));
    }

    /** The answer to the creation is missing: an up-to-date listing shows whether the node exists. */
    private void recover() {
        after(folder.find(node.id(), session), found -> {
            if (found.isEmpty()) {
                node.state(State.NONE);
                next();
            } else {
                after(session.stat(found), reply -> {
                    if (reply.noNode() || reply.orFail(action()).getEphemeralOwner() != session.id()) {
                        conclude(State.VANISHED, EntryResult.GONE);
                    } else {
                        node.created(found, reply.get().getCzxid());
                        new EntryListing(this, true).need();
                    }
                });
            }
        });
    }

    /**
     * Finds the node's position among the children.
     *
     * @param now whether the listing was answered just now, so that its watch can't have reported a change yet
     */
    void listed(RequestResult<FolderListing> reply, boolean now) {
        listed(reply.noNode() ? FolderListing.none() : reply.orFail(action()), now);
    }

    private void listed(FolderListing listing, boolean now) {
        List<String> children = listing.children();
        node.waiting().listed(listing.lastChange());
        String own = CreatedNode.nameOf(node.path());
        node.tokenFloor(TokenFloorNode.offsetFor(own, children));
        RecallWatch recall = node.recall();
        if (recall != null && now) {
            recall.listed(own, children);
        }
        if (node.exclusive()) {
            listedExclusive(children, NodeOrder.position(children, own));
        } else {
            listedShared(SharedOrder.position(children, requireNonNull(NodeName.parse(own))));
        }
    }

    private void listedExclusive(List<String> children, NodeOrder.Position position) {
        if (position instanceof NodeOrder.Position.Behind behind) {
            node.waiting().waitsAmong(children.size());
            waitBehind(behind);
        } else if (position instanceof NodeOrder.Position.BehindShared behind) {
            int capacity = SharedOrder.firstCapacity(children);
            if (capacity != Share.EXCLUSIVE.capacity()) {
                throw ZooKeeperFailures.otherKind(folder.lock(), capacity, Share.EXCLUSIVE);
            }
            waitBehind(behind.nearest());
        } else if (position instanceof NodeOrder.Position.Exhausted) {
            recreateFolder();
        } else if (position instanceof NodeOrder.Position.First) {
            becomeHolder();
        } else {
            conclude(State.VANISHED, EntryResult.GONE);
        }
    }

    /** The watch reports by a signal, and the next attempt sees what it found. */
    private void waitBehind(NodeOrder.Position.Behind behind) {
        node.waiting().behind(behind);
        conclude(State.QUEUED, EntryResult.WAITING);
    }

    private void listedShared(SharedOrder.Position position) {
        if (position instanceof SharedOrder.Position.Behind behind) {
            node.waiting().behind(behind.earlier());
            conclude(State.QUEUED, EntryResult.WAITING);
        } else if (position instanceof SharedOrder.Position.OtherKind other) {
            throw ZooKeeperFailures.otherKind(folder.lock(), other.capacity(), node.share());
        } else if (position instanceof SharedOrder.Position.Exhausted) {
            recreateFolder();
        } else if (position instanceof SharedOrder.Position.Entitled) {
            becomeHolder();
        } else {
            conclude(State.VANISHED, EntryResult.GONE);
        }
    }

    /** The node has the lock. Old servers don't report the czxid of a node that was created in a transaction. */
    private void becomeHolder() {
        if (node.czxid() > 0) {
            conclude(State.HELD, EntryResult.HELD);
            return;
        }
        after(session.stat(node.path()), reply -> {
            if (reply.noNode()) {
                conclude(State.VANISHED, EntryResult.GONE);
            } else {
                node.czxid(reply.orFail(action()).getCzxid());
                conclude(State.HELD, EntryResult.HELD);
            }
        });
    }

    /**
     * The folder's sequence is used up: two billion nodes were created without a pause in which ZooKeeper removes an empty
     * folder. Deletes and recreates the folder if no other holder or waiter is in it. The sequence then starts again; the token does not.
     */
    private void recreateFolder() {
        after(folder.recreateWithout(node.path(), action(), session), recreated -> {
            if (recreated) {
                node.state(State.NONE);
                next();
            } else {
                conclude(State.VANISHED, EntryResult.UNORDERED);
            }
        });
    }

    private void confirm() {
        NodeLowering lowering = node.lowering();
        CompletableFuture<Code> confirmed = lowering == null
                ? session.check(List.of(node.path())).thenApply(codes -> codes.get(0))
                : lowering.confirm(node.share());
        after(confirmed, code -> {
            switch (code) {
                case OK -> conclude(State.HELD, EntryResult.HELD);
                case NONODE -> conclude(State.VANISHED, EntryResult.GONE);
                default -> throw ZooKeeperFailures.of(code, action());
            }
        });
    }
}
