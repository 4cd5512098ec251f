package io.hasp.zookeeper.recipe;

import static java.util.Objects.requireNonNull;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.zookeeper.layout.NodeLabel;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.session.CreatedNode;
import io.hasp.zookeeper.session.LastDeletedNodes;
import io.hasp.zookeeper.session.Session;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ephemeral sequential node of one holder or waiter, and its state as far as the client knows. A holder has at most one node, which
 * belongs to one session. Attempts run one at a time: a call during an attempt gets that attempt's result. Thread-safe; signals are sent
 * and futures completed outside the monitor.
 */
public final class LockNode {
    /** The node's state as far as the client knows. */
    public enum State {
        /** The node was not created. */
        NONE,
        /** The node may exist: the answer to its creation is missing. */
        UNKNOWN,
        QUEUED,
        HELD,
        /** The node existed, and is gone. */
        VANISHED
    }

    private final LockFolder folder;
    private final Claim claim;
    private final Session session;
    private final NodeRemoval removal;
    private final @Nullable NodeLowering lowering;
    private final @Nullable RecallWatch recall;
    private final NodeWait wait = new NodeWait(this);
    private final OwnNodeWatch watch = new OwnNodeWatch(this);
    private volatile SignalListener signals = signal -> {};

    private State state = State.NONE;
    private String path = "";
    private long czxid;
    private long tokenFloor;
    private boolean removing;
    private boolean replacementSent;
    private boolean inferredFirst;
    private @Nullable EntryAttempt running;

    /**
     * Creates the state of a holder without a node.
     *
     * @param claim its first request
     * @param session creates the node
     * @param current Curator's current session, which deletes the node
     */
    public LockNode(LockFolder folder, Claim claim, Session session, Supplier<Session> current) {
        this.folder = folder;
        this.claim = claim;
        this.session = session;
        this.removal = new NodeRemoval(this, current);
        this.lowering = exclusive() ? null : new NodeLowering(this);
        this.recall = keeps() ? new RecallWatch(this) : null;
    }

    NodeWait waiting() {
        return wait;
    }

    /** Gives back a part of the weight; null for an exclusive lock. */
    @Nullable
    public NodeLowering lowering() {
        return lowering;
    }

    /** Receives recalls by other clients; null unless the node's client may keep the lock. */
    @Nullable
    RecallWatch recall() {
        return recall;
    }

    private boolean keeps() {
        return claim.keeps() && exclusive();
    }

    /** Notices the deletion of the node by others, and has the result of its latest confirmation. */
    OwnNodeWatch watch() {
        return watch;
    }

    private void endWatches() {
        watch.stop();
        if (recall != null) {
            recall.stop();
        }
    }

    public NodeRemoval removal() {
        return removal;
    }

    public Session session() {
        return session;
    }

    public LockFolder folder() {
        return folder;
    }

    public HolderId holder() {
        return claim.holder();
    }

    Share share() {
        return claim.share();
    }

    boolean queues() {
        return claim.queue();
    }

    boolean exclusive() {
        return claim.share().isExclusive();
    }

    /** The path that the node is created with; ZooKeeper appends the sequence. */
    String pathPrefix() {
        return folder.child(NodeName.prefix(claim.holder(), claim.share(), keeps()));
    }

    /** The data that the node is created with. */
    byte[] data() {
        return NodeLabel.of(claim.label());
    }

    /** The data of the node once its client does not keep the lock any more. */
    byte[] returningData() {
        return NodeLabel.returning(claim.label());
    }

    /** The data of a lighter node in the same place, which keeps the token. */
    byte[] loweredData() {
        return NodeLabel.lowered(claim.label(), czxid());
    }

    /** The part of the node's name that identifies it in a listing. */
    String id() {
        return NodeName.id(claim.holder(), keeps());
    }

    public void listen(SignalListener listener) {
        signals = listener;
    }

    public void signal(Signal signal) {
        signals.onSignal(signal);
    }

    /** The id of the transaction that created the node: the server's own, strictly increasing count. */
    synchronized long czxid() {
        return czxid;
    }

    /** The fencing token: the transaction's id plus the token floor that stood when the node was created. */
    synchronized long token() {
        return czxid + tokenFloor;
    }

    synchronized void tokenFloor(long offset) {
        tokenFloor = offset;
    }

    /** The node is the first: it directly follows one that was the first and is deleted. */
    synchronized void firstAfter(LastDeletedNodes.DeletedNode last) {
        tokenFloor = last.tokenFloor();
        inferredFirst = true;
    }

    /** The node was created together with its folder. */
    synchronized void firstOfAll() {
        tokenFloor = 0;
        inferredFirst = true;
    }

    /** True if the node was found to be the first without a listing. */
    synchronized boolean inferredFirst() {
        return inferredFirst;
    }

    /**
     * The server deleted the node. If it was the first of an exclusive lock, it is remembered, so that the next one may skip its
     * listing. A node whose token floor is too high for any token is not remembered: only a listing shows whether the floor was removed.
     */
    void deleted() {
        LastDeletedNodes.DeletedNode last;
        synchronized (this) {
            if (!exclusive() || state != State.HELD || czxid + tokenFloor >= Grant.TOKEN_LIMIT) {
                return;
            }
            last = new LastDeletedNodes.DeletedNode(
                    NodeOrder.sequence(CreatedNode.nameOf(path)), czxid, tokenFloor, inferredFirst);
        }
        session.lastDeletedNodes().remember(folder.path(), last);
    }

    public synchronized State state() {
        return state;
    }

    public synchronized boolean held() {
        return state == State.HELD && !removing;
    }

    /** Returns the path of the node; empty if it was not created. */
    public synchronized String path() {
        return path;
    }

    /** Returns the name of the node, which exists or existed. */
    public NodeName name() {
        return requireNonNull(NodeName.parse(CreatedNode.nameOf(path())), "there is no node yet");
    }

    /** The node has a lower weight, and so another path; it keeps its place and its token. */
    synchronized void movedTo(String lowerPath) {
        path = lowerPath;
    }

    /** True if a request that gives the node another path is unanswered. */
    boolean maybeMoved() {
        return lowering != null && lowering.isUnanswered();
    }

    /** True if the node left this path, or may have left it. */
    synchronized boolean maybeMovedFrom(String formerPath) {
        return maybeMoved() || !formerPath.equals(path);
    }

    /** True if the node exists at its path, as far as is known, and is not being removed. */
    public synchronized boolean active() {
        return (state == State.QUEUED || state == State.HELD) && !removing && !maybeMoved();
    }

    /** Creates the node if there is none, and finds its position. Fails with a {@link BackendFailure}. */
    public CompletableFuture<EntryResult> attempt() {
        return attempt(EntryAttempt::next);
    }

    /** Like {@link #attempt()}; a new node replaces that of an earlier holder, in one request. */
    public CompletableFuture<EntryResult> attemptReplacing(LockNode earlier) {
        return attempt(attempt -> attempt.replace(earlier));
    }

    /** A transaction was sent that deletes this node and creates that of another holder. */
    void replacementSent() {
        endWatches();
        synchronized (this) {
            replacementSent = true;
        }
    }

    /** The server refused that transaction. */
    synchronized void replacementRefused() {
        replacementSent = false;
    }

    /** The server applied that transaction. */
    void replaced() {
        deleted();
        synchronized (this) {
            removing = true;
            state = State.VANISHED;
        }
    }

    /** True if a transaction that replaces this node was sent and not refused. If the node is gone, that transaction released it. */
    synchronized boolean maybeReplaced() {
        return replacementSent;
    }

    private CompletableFuture<EntryResult> attempt(Consumer<EntryAttempt> step) {
        EntryAttempt attempt;
        synchronized (this) {
            if (removing || state == State.VANISHED) {
                return CompletableFuture.completedFuture(EntryResult.GONE);
            }
            if (running != null) {
                return running.result();
            }
            attempt = new EntryAttempt(this);
            running = attempt;
        }
        attempt.run(step);
        return attempt.result();
    }

    /** The attempt has ended; it completes its future next. */
    synchronized void attemptEnded(EntryAttempt attempt) {
        if (running == attempt) {
            running = null;
        }
    }

    /** The node exists. */
    synchronized void created(String createdPath, long zxid) {
        state = State.QUEUED;
        path = createdPath;
        czxid = zxid;
        wait.created(createdPath);
    }

    /** Sets the creating transaction, for a server that did not report it in the answer to the creation. */
    synchronized void czxid(long zxid) {
        czxid = zxid;
    }

    public synchronized void state(State now) {
        state = now;
    }

    /** Ends an attempt with this state and result, unless the node has vanished since. */
    synchronized EntryResult conclude(State now, EntryResult result) {
        if (state == State.VANISHED) {
            return EntryResult.GONE;
        }
        state = now;
        return result;
    }

    /** True if the node is in the queue and no attempt is running. */
    synchronized boolean mayAttemptAhead() {
        return state == State.QUEUED && running == null;
    }

    /**
     * Reports that there is no node at this path, although this client did not delete it. Returns false if the node may have moved from
     * there.
     */
    public boolean vanished(String formerPath) {
        boolean wasHeld;
        synchronized (this) {
            if (maybeMovedFrom(formerPath)) {
                return false;
            }
            if (removing || state == State.VANISHED) {
                return true;
            }
            wasHeld = state == State.HELD;
            state = State.VANISHED;
        }
        signal(wasHeld ? Signal.LOST : Signal.MAYBE_FREE);
        return true;
    }

    /** From now on no attempt succeeds. Runs the task when the running attempt or lowering, if any, has its answer. */
    void startRemoval(Runnable then) {
        endWatches();
        EntryAttempt unanswered;
        synchronized (this) {
            removing = true;
            unanswered = running;
        }
        Runnable next = lowering == null ? then : () -> lowering.idle().whenComplete((code, failure) -> then.run());
        if (unanswered == null) {
            next.run();
        } else {
            unanswered.result().whenComplete((result, failure) -> next.run());
        }
    }
}
