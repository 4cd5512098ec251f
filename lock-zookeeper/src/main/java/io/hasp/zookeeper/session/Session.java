package io.hasp.zookeeper.session;

import io.hasp.spi.ClockMargin;
import io.hasp.spi.Timing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper session: the requests of the recipe on its raw handle. Curator's background calls would retry, reorder and
 * repeat a create. The handle sends in the order of the calls and the server answers in that order, so several requests can
 * share one round trip. Thread-safe.
 *
 * <p>Every request is answered, in the order of the calls and on the session's event thread. One exception: a request to a handle that is
 * being closed fails at once, before earlier requests are answered. The requests of a normal cycle take callbacks, the others return
 * futures, which always complete normally. (Chained futures were most of the code that a JVM had to compile for this module, see
 * docs/decisions/0015.) Callbacks must not throw: the exception would be lost.
 */
public final class Session {
    private static final byte[] NO_DATA = {};
    /** The client wants a list of servers, and its provider ignores the list. */
    private static final String ANY_SERVER = "localhost";

    /** A node that no client creates. */
    private static final String NOWHERE = "/hasp-closed";

    private final ZooKeeper handle;
    private final Function<String, List<ACL>> acl;
    private final Timing timing;
    private final SessionDeadline sessionDeadline;
    private final SessionWatcher watcher;
    private final SessionPaths paths;
    private final @Nullable BlockedEventThread blockedEvents;
    /** Null if an application uses the connection, too. */
    private final @Nullable SilenceDetector silence;

    private final Listings listings;
    private final NodeReads reads;
    private final NodeRequests nodes;
    private final LastDeletedNodes lastDeletedNodes = new LastDeletedNodes();
    private final FolderWatches folderWatches;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** The sending of the latest transaction that was answered. */
    private final AtomicLong quorumAt;

    public Session(ZooKeeper handle, List<ACL> acl, Timing timing) {
        this(handle, acl, timing, OptionalLong.empty());
    }

    public Session(ZooKeeper handle, List<ACL> acl, Timing timing, OptionalLong createdAt) {
        this(handle, path -> acl, timing, createdAt, false);
    }

    /**
     * Creates the session of a connected handle.
     *
     * @param acl the permissions of a node by its path
     * @param createdAt a moment before the handle was created, if one is known
     * @param lent whether an application uses the handle, too, and may block its event thread
     */
    public Session(
            ZooKeeper handle, Function<String, List<ACL>> acl, Timing timing, OptionalLong createdAt, boolean lent) {
        this.handle = handle;
        this.acl = acl;
        this.timing = timing;
        this.sessionDeadline = new SessionDeadline(Duration.ofMillis(handle.getSessionTimeout()), createdAt);
        this.watcher = new SessionWatcher(handle);
        this.paths = SessionPaths.of(handle);
        this.blockedEvents = lent ? new BlockedEventThread(this, timing) : null;
        this.silence = lent ? null : new SilenceDetector(timing, this::leaveConnection);
        this.listings = new Listings(handle, lent);
        this.reads = new NodeReads(handle);
        this.nodes = new NodeRequests(handle, acl, this, timing);
        this.folderWatches = new FolderWatches(handle, this, timing, !lent);
        this.quorumAt = new AtomicLong(timing.nanoTime() - timeout().toNanos());
    }

    /** True if this is the session of the given handle, and has not ended. A handle has one session in its life. */
    boolean hasHandle(ZooKeeper other) {
        return handle == other && !ended.get();
    }

    public long id() {
        return handle.getSessionId();
    }

    boolean connected() {
        return handle.getState().isConnected();
    }

    /** True if a watch that is set now reports changes: a connection exists, or the next one sets the watch again. */
    public boolean hearsWatches() {
        return connected() && !handle.getClientConfig().getBoolean(ZKClientConfig.DISABLE_AUTO_WATCH_RESET);
    }

    /** The negotiated timeout; the shortest one, if it was negotiated again when the session moved to another server. */
    public Duration timeout() {
        return upToDateDeadline().timeout();
    }

    /** The deadline, with the latest negotiated timeout. A handle whose session has ended has no timeout. */
    private SessionDeadline upToDateDeadline() {
        int millis = handle.getSessionTimeout();
        if (millis > 0) {
            sessionDeadline.renegotiated(Duration.ofMillis(millis));
        }
        return sessionDeadline;
    }

    public SessionWatcher watcher() {
        return watcher;
    }

    public SessionPaths paths() {
        return paths;
    }

    /** Creates and deletes the nodes of holders and waiters. */
    public NodeRequests nodes() {
        return nodes;
    }

    /** Reads nodes for operators. */
    public NodeReads reads() {
        return reads;
    }

    public LastDeletedNodes lastDeletedNodes() {
        return lastDeletedNodes;
    }

    /** The recursive watches on folders; none on the handle of an application. */
    public FolderWatches folderWatches() {
        return folderWatches;
    }

    /** Returns the moment until which the server certainly keeps this session, on the monotonic clock. */
    public long deadline() {
        return upToDateDeadline().deadline(timing.nanoTime());
    }

    /**
     * Returns the deadline of a grant: {@link #deadline}, at most the session timeout after the latest transaction was sent. A leader
     * without a quorum answers a {@code sync}, and its successor may have begun after that transaction.
     */
    public long grantDeadline() {
        long timeout = timeout().toNanos();
        long byQuorum = quorumAt.get() + timeout - ClockMargin.ofNanos(timeout);
        long byLeader = deadline();
        return byQuorum - byLeader < 0 ? byQuorum : byLeader;
    }

    /** True if {@link #deadline} returned a later moment before, and that moment has not passed. */
    public boolean deadlineMovedEarlier() {
        return upToDateDeadline().deadlineMovedEarlier(timing.nanoTime());
    }

    /**
     * Runs a task on the event thread when the handle is closed, after the servers have ended the session. Costs the server one watch. The
     * task does not run on a client that does not set its watches again after a reconnection.
     */
    void onClosed(Runnable task) {
        Watcher closing = event -> {
            if (event.getState() == KeeperState.Closed) {
                task.run();
            }
        };
        handle.exists(NOWHERE, closing, (rc, asked, context, stat) -> {}, null);
    }

    /** Marks the session as ended: no new node is created in it. True the first time. */
    public boolean end() {
        return ended.compareAndSet(false, true);
    }

    public boolean ended() {
        return ended.get();
    }

    /** Creates a node that stays when the session ends; ZooKeeper appends the sequence. */
    public CompletableFuture<RequestResult<String>> createPersistent(String path) {
        CompletableFuture<RequestResult<String>> reply = new CompletableFuture<>();
        handle.create(
                path,
                NO_DATA,
                acl.apply(path),
                CreateMode.PERSISTENT_SEQUENTIAL,
                (rc, asked, context, created) -> reply.complete(RequestResult.of(rc, created)),
                null);
        return reply;
    }

    /** Deletes a folder with these children and recreates it with this data and persistent children, in one transaction. */
    public CompletableFuture<RequestResult<Boolean>> recreate(
            String folder, byte[] data, List<String> children, List<String> replacements) {
        List<Op> steps = new ArrayList<>();
        children.forEach(child -> steps.add(Op.delete(child, -1)));
        steps.add(Op.delete(folder, -1));
        steps.add(Op.create(folder, data, acl.apply(folder), CreateMode.CONTAINER));
        replacements.forEach(
                child -> steps.add(Op.create(child, NO_DATA, acl.apply(child), CreateMode.PERSISTENT_SEQUENTIAL)));
        CompletableFuture<RequestResult<Boolean>> reply = new CompletableFuture<>();
        handle.multi(
                steps,
                (rc, asked, context, results) -> reply.complete(RequestResult.of(rc, rc == 0 ? Boolean.TRUE : null)),
                null);
        return reply;
    }

    /** Deletes a node of this session and creates another one with exactly that path, in one transaction. */
    public CompletableFuture<Code> substitute(String old, String path, byte[] data) {
        return transaction(List.of(Op.delete(old, -1), Op.create(path, data, acl.apply(path), CreateMode.EPHEMERAL)))
                .thenApply(RequestResult::code);
    }

    /**
     * Creates container nodes, each below the one before, in one transaction. ZooKeeper removes such a node after its last child.
     * The transaction fails unless this client may create, delete and read in the last node: a client whose own ACL shuts it out would
     * leave a node that no client can use. If a step fails, the value is the index of that step.
     *
     * @param data of the last node
     */
    public CompletableFuture<RequestResult<Integer>> createContainers(List<String> paths, byte[] data) {
        return transaction(NodeRequests.containerSteps(paths, data, acl));
    }

    public void delete(String path, Consumer<RequestResult<Boolean>> then) {
        long sentAt = timing.nanoTime();
        handle.delete(path, -1, (rc, asked, context) -> then.accept(acknowledged(sentAt, rc, rc == 0)), null);
    }

    /** Lists a folder, and, if it exists, sets a watch that reports the next change of its children. */
    public void children(String folder, boolean watched, Consumer<RequestResult<FolderListing>> then) {
        FolderWatches.Listing known = folderWatches.listing(folder);
        listings.send(
                folder,
                watched ? watcher : null,
                known == null
                        ? then
                        : answer -> {
                            known.answered(answer);
                            then.accept(answer);
                        });
    }

    /** True if {@link #ownNodes} can be asked for. */
    public boolean mayListOwnNodes() {
        return listings.fits(paths.bytes());
    }

    /** Lists the names of the nodes of this session below a node, also of those that it may not read. */
    public CompletableFuture<RequestResult<List<String>>> ownNodes(String root) {
        return CompletableFutures.fromCallback(then -> listings.ofSession(root, then));
    }

    /** The transaction that created or deleted a child of this folder last. */
    public void lastChange(String folder, Consumer<RequestResult<Long>> then) {
        handle.exists(
                folder,
                false,
                (rc, asked, context, stat) -> then.accept(RequestResult.of(rc, rc == 0 ? stat.getPzxid() : null)),
                null);
    }

    /** Gets an answer from the leader without a transaction. It says nothing about nodes, and no quorum confirms it. */
    public CompletableFuture<Code> syncWithLeader() {
        long sentAt = timing.nanoTime();
        CompletableFuture<Code> reply = new CompletableFuture<>();
        handle.sync(
                "/",
                (rc, asked, context) ->
                        reply.complete(byLeader(sentAt, rc, asked).code()),
                null);
        return reply;
    }

    /** Sends a request to the leader whose only use is that it moves the deadline. */
    public void probe() {
        long sentAt = timing.nanoTime();
        handle.sync("/", (rc, asked, context) -> byLeader(sentAt, rc, asked), null);
    }

    /** Writes a node's data, which also shows that the node exists. */
    public CompletableFuture<Code> write(String path, byte[] data) {
        long sentAt = timing.nanoTime();
        CompletableFuture<Code> reply = new CompletableFuture<>();
        handle.setData(
                path,
                data,
                -1,
                (rc, asked, context, stat) ->
                        reply.complete(acknowledged(sentAt, rc, stat).code()),
                null);
        return reply;
    }

    public CompletableFuture<RequestResult<byte[]>> data(String path) {
        CompletableFuture<RequestResult<byte[]>> reply = new CompletableFuture<>();
        handle.getData(
                path, false, (rc, asked, context, data, stat) -> reply.complete(RequestResult.of(rc, data)), null);
        return reply;
    }

    public CompletableFuture<RequestResult<Stat>> stat(String path) {
        CompletableFuture<RequestResult<Stat>> reply = new CompletableFuture<>();
        handle.getData(
                path, false, (rc, asked, context, data, stat) -> reply.complete(RequestResult.of(rc, stat)), null);
        return reply;
    }

    /** Sets a watch on a node, if the node exists. */
    public void watch(String path, Consumer<Code> then) {
        handle.getData(
                path,
                watcher,
                (rc, asked, context, data, stat) ->
                        then.accept(RequestResult.of(rc, stat).code()),
                null);
    }

    /** Checks that nodes exist, see {@link ExistenceCheck}. Returns one code for each path, in the same order. */
    public CompletableFuture<List<Code>> check(List<String> paths) {
        return confirm(paths, () -> checkEach(paths));
    }

    /** Like {@link #check}, for a caller that is in {@link #confirm}. */
    public CompletableFuture<List<Code>> checkEach(List<String> paths) {
        return ExistenceCheck.run(this::transaction, paths);
    }

    /**
     * Finds out whether nodes exist. While the event thread is blocked, transactions check each node. Returns one code for each path.
     *
     * @param first finds out by other requests
     */
    public CompletableFuture<List<Code>> confirm(List<String> paths, Supplier<CompletableFuture<List<Code>>> first) {
        CompletableFuture<List<Code>> answer = first.get();
        if (silence != null && !paths.isEmpty()) {
            silence.watch(timeout(), answer);
        }
        return blockedEvents == null
                ? answer
                : blockedEvents.orBlocking(answer, () -> ExistenceCheck.run(this::blockingTransaction, paths));
    }

    /**
     * Proves that a quorum follows the leader, and that this client has received all events of earlier transactions. ZooKeeper has no
     * request that a quorum answers and no server logs (ZOOKEEPER-1675), so this is a transaction, of one check.
     */
    public CompletableFuture<Code> proveQuorum() {
        return transaction(List.of(Op.check("/", -1)))
                .thenApply(reply -> ofOneNode(reply.code()) ? Code.OK : reply.code());
    }

    /**
     * Ends the connection, so that the client connects to the next server, or by a new socket to the only one. Only for a handle whose
     * servers are chosen by a {@link ReconnectingHostProvider}. Requests without an answer are lost, as with any connection that ends.
     */
    private void leaveConnection() {
        try {
            handle.updateServerList(ANY_SERVER);
            // The client's thread sleeps until its next ping, and would find the closed socket only then.
            probe();
        } catch (IOException alreadyClosed) {
            // The client connects anew by itself.
        }
    }

    /** Gets an answer from the leader, also while the application blocks the event thread. */
    public CompletableFuture<Code> heartbeat() {
        CompletableFuture<Code> answer = syncWithLeader();
        return blockedEvents == null
                ? answer
                : blockedEvents.orBlocking(
                        answer,
                        () -> blockingTransaction(List.of(Op.check("/", -1))).thenApply(RequestResult::code));
    }

    /** Sends a transaction and waits for the answer, which the event thread has no part in. */
    private CompletableFuture<RequestResult<Integer>> blockingTransaction(List<Op> steps) {
        long sentAt = timing.nanoTime();
        try {
            handle.multi(steps);
            return CompletableFuture.completedFuture(acknowledged(sentAt, Code.OK.intValue(), null));
        } catch (KeeperException refused) {
            return CompletableFuture.completedFuture(
                    acknowledged(sentAt, refused.code().intValue(), firstFailed(refused.getResults())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.completedFuture(RequestResult.of(Code.OPERATIONTIMEOUT.intValue(), null));
        }
    }

    /** Sends a transaction. If a step fails, the value is the index of that step. */
    CompletableFuture<RequestResult<Integer>> transaction(List<Op> steps) {
        long sentAt = timing.nanoTime();
        CompletableFuture<RequestResult<Integer>> reply = new CompletableFuture<>();
        handle.multi(
                steps,
                (rc, asked, context, results) -> reply.complete(acknowledged(sentAt, rc, firstFailed(results))),
                null);
        return reply;
    }

    private static @Nullable Integer firstFailed(@Nullable List<OpResult> results) {
        for (int i = 0; results != null && i < results.size(); i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.OK.intValue()) {
                return i;
            }
        }
        return null;
    }

    /** True if the leader refused because of one node, which says nothing about the other nodes or the session. */
    static boolean ofOneNode(Code code) {
        return code == Code.NONODE || code == Code.NOAUTH;
    }

    /** The time on the session's clock. */
    long now() {
        return timing.nanoTime();
    }

    /** The result of a transaction, which a quorum has logged. */
    private <T> RequestResult<T> acknowledged(long sentAt, int rc, @Nullable T value) {
        RequestResult<T> reply = RequestResult.of(rc, value);
        acknowledge(sentAt, reply.code());
        return reply;
    }

    /** Takes the answer to a transaction for the deadlines. */
    void acknowledge(long sentAt, Code code) {
        acknowledgeByLeader(sentAt, code);
        if (code == Code.OK || ofOneNode(code)) {
            quorumAt.accumulateAndGet(sentAt, (a, b) -> b - a > 0 ? b : a);
        }
    }

    /** The result of a request that the leader answers alone. */
    private <T> RequestResult<T> byLeader(long sentAt, int rc, @Nullable T value) {
        RequestResult<T> reply = RequestResult.of(rc, value);
        acknowledgeByLeader(sentAt, reply.code());
        return reply;
    }

    private void acknowledgeByLeader(long sentAt, Code code) {
        if (code == Code.OK || ofOneNode(code)) {
            moveDeadline(deadline -> answered(deadline, sentAt));
        } else if (code == Code.CONNECTIONLOSS) {
            moveDeadline(deadline -> deadline.lost(sentAt, timing.nanoTime()));
        }
    }

    private void answered(SessionDeadline deadline, long sentAt) {
        long now = timing.nanoTime();
        deadline.answered(sentAt, now);
        if (silence != null) {
            silence.answered(now);
        }
    }

    private void moveDeadline(Consumer<SessionDeadline> news) {
        news.accept(upToDateDeadline());
    }
}
