package io.hasp.zookeeper;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import io.hasp.zookeeper.operators.ZooKeeperInspector;
import io.hasp.zookeeper.readers.ReadNodes;
import io.hasp.zookeeper.readers.ReadRequest;
import io.hasp.zookeeper.recipe.AcquireHandler;
import io.hasp.zookeeper.recipe.EntryResult;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.recipe.RemovalRetries;
import io.hasp.zookeeper.recipe.Renewals;
import io.hasp.zookeeper.recipe.TokenFloorRaise;
import io.hasp.zookeeper.recipe.WithdrawnHolders;
import io.hasp.zookeeper.session.CommandTimeout;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.CurrentSession;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.TimestampingZooKeeperFactory;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Locks on ZooKeeper: an ephemeral sequential node for each holder and waiter of a lock. Thread-safe.
 *
 * <p>A client that wants a lock creates a node in the lock's folder. ZooKeeper appends a rising sequence to its name, and deletes the node
 * with the client's session. The name says how much of the lock the node takes. The node has its share if it fits beside all nodes before
 * it; an exclusive node fits beside no other. Otherwise the client waits until one of the nodes that leave no room is deleted. The fencing
 * token is the id of the transaction that created the node (czxid). A release deletes the node. The holder id in the name finds the node of
 * a request without an answer.
 *
 * <pre>{@code
 * acquire(holder, weight, capacity, wait):
 *   send   create ephemeral sequential <root>/<name>/<share>-<holder>-   <share>: x, or s.<capacity>.<weight>
 *   send   list <root>/<name>   in the same round trip; a client that is alone skips it (decision 14)
 *   no folder:  create folder and node in one transaction; the node is the first
 *   answer to create lost:  sync, list; the own node is the child with this holder id; none: create again
 *   repeat
 *     before := children with a smaller sequence than the own node's
 *     own node not listed:                          removed or session ended: ask again as another holder
 *     first child is of another kind or capacity:   delete own node; fail with OTHER_KIND
 *     weights of before + weight <= capacity:       wait until the session's deadline is proven; GRANTED, token := czxid + raised floor
 *     no wait:                                      delete own node; BUSY
 *     watch the nearest nodes that leave no room    exclusive: the predecessor; reader: the last writer before it
 *     sleep until a watch, a new connection or a poll; the deletion of the only node before needs no listing
 *     list <root>/<name>          unless a recursive watch of a contended folder shows it (decision 46)
 * renew(grants, lower weight):
 *   check that the own nodes exist; to lower a weight: delete own node, create <sequence> with the lower weight, in one transaction
 *   validity := until the session's deadline, which SessionDeadline proves from three round trips
 * release(holder):  delete own node, in the background again until the server has answered
 * transfer(from, to): delete one node and create the other, in one transaction
 * session lost:     every holder and waiter of the session is LOST
 * }</pre>
 *
 * <p>Differences from ZooKeeper's own recipe ("Recipes and Solutions", locks): create and listing travel in one round trip; the token
 * survives the deletion of every node; a holder is notified when its session or node is gone. The readers of one client share a node, see
 * docs/decisions/0021.
 *
 * <p>Not guaranteed: a grant ends with the session, not with a lease of its own. Only the client ends a fixed lease, and a paused process
 * can't. Then only the fencing token protects.
 */
public final class ZooKeeperBackend implements LockBackend {
    private static final Capabilities CAPABILITIES = Capabilities.of(
                    Capabilities.Ordering.FIFO, Capabilities.Enforcement.SESSION)
            .surviving(Capabilities.Survives.SERVER_RESTART, Capabilities.Survives.FAILOVER)
            .sharing()
            .inspecting();
    /** A client that dies while it keeps a lock costs others the rest of its session. */
    private static final int SESSION_TO_KEEP = 3;

    private final ZooKeeperLocks locks;
    private final Timing timing;
    private final CurrentSession currentSession;
    private final Runnable disconnect;
    private final HolderNodes nodes;
    private final WithdrawnHolders withdrawn;
    private final CommandTimeout commandTimeout;
    private final SessionHeartbeat heartbeat;
    private final AcquireHandler acquires;
    private final RemovalRetries retries;
    private final ReadNodes reads;
    private final Inspector inspector;
    private Capabilities capabilities = CAPABILITIES.recalling();
    private volatile boolean closed;

    enum Readiness {
        READY,
        /** The deadline of the session is too near: its latest round trips are not proven yet. */
        UNCONFIRMED,
        UNCONNECTED
    }

    /** Creates a backend on a client of the application if there is no factory, otherwise on its own client, which uses that factory. */
    private ZooKeeperBackend(
            CuratorFramework client,
            ZooKeeperLocks locks,
            Function<String, List<ACL>> acl,
            Timing timing,
            @Nullable TimestampingZooKeeperFactory factory,
            WithdrawnHolders withdrawn) {
        this.locks = locks;
        this.withdrawn = withdrawn;
        this.nodes = new HolderNodes(client.getZookeeperClient().getCurrentConnectionString(), locks.root());
        this.timing = timing;
        this.disconnect = factory == null ? this::removeAll : () -> disconnect(client);
        Function<ZooKeeper, OptionalLong> createdAt =
                factory == null ? handle -> OptionalLong.empty() : factory::createdAt;
        this.currentSession = new CurrentSession(
                client, acl, timing, factory == null, createdAt, new SessionEventHandler(this, nodes.all(), timing));
        this.commandTimeout = new CommandTimeout(locks.commandTimeout(), timing, currentSession::servers);
        this.heartbeat = new SessionHeartbeat(timing, currentSession::get, nodes.all(), factory == null);
        this.acquires = new AcquireHandler(timing, request -> remove(request.node()));
        this.retries = new RemovalRetries(timing, () -> readiness() != Readiness.UNCONNECTED, this::remove);
        this.reads = new ReadNodes(new NodesForReaders(), timing);
        this.inspector = new ZooKeeperInspector(locks.root(), this::session, commandTimeout, timing);
    }

    private static ZooKeeperBackend opened(ZooKeeperBackend backend) {
        backend.currentSession.listen();
        backend.limitKeep();
        backend.beatNow();
        return backend;
    }

    /** A user's client that is not connected yet has no session timeout: what it keeps is limited by each grant's validity then. */
    private void limitKeep() {
        try {
            Duration longest = currentSession.get().timeout().dividedBy(SESSION_TO_KEEP);
            capabilities = CAPABILITIES.recalling(longest);
        } catch (BackendFailure notConnected) {
            // As it is without a limit.
        }
    }

    void beatNow() {
        heartbeat.beatNow();
    }

    boolean closed() {
        return closed;
    }

    /**
     * Creates a backend with a client of its own. Opening fails with a {@link BackendFailure} that names the servers if none of them
     * answers within the connection timeout.
     *
     * @param config the servers and their settings
     * @return a source for {@code LockClient.over}; closing the lock client ends the session
     */
    public static BackendSource by(ZooKeeperConfig config) {
        BackendSource source =
                context -> new MultiSessionBackend(withdrawn -> connected(config, context.timing(), withdrawn));
        return source.declaring(declaration(config.locks()));
    }

    private static BackendDeclaration declaration(ZooKeeperLocks locks) {
        return new BackendDeclaration(CAPABILITIES.recalling(), true, locks.commandTimeout());
    }

    private static ZooKeeperBackend connected(ZooKeeperConfig config, Timing timing, WithdrawnHolders withdrawn) {
        TimestampingZooKeeperFactory factory = new TimestampingZooKeeperFactory(timing);
        CuratorFramework client = CuratorClientFactory.open(config, factory);
        return opened(new ZooKeeperBackend(
                client, config.locks(), path -> config.locks().acl(), timing, factory, withdrawn));
    }

    /**
     * Creates a backend on a running client, with its chroot, namespace, credentials and session. The deadlines follow that session's
     * timeout.
     *
     * @param client a started client, which its owner closes after the lock client. If it is closed before, the locks are lost, and their
     *     holders are notified at once (a tenth of a second later if the client is a view of a namespace)
     * @param locks the settings of the locks; the root is below the client's namespace. Nodes get the permissions that the client's {@code
     *     ACLProvider} gives for their path, unless the locks have an acl that is not open to all users
     * @return a source for {@code LockClient.over}; closing the lock client deletes its nodes and leaves this client open. Opening
     *     fails with an {@link IllegalArgumentException} if the client is not started or is closed
     */
    public static BackendSource on(CuratorFramework client, ZooKeeperLocks locks) {
        String namespace = client.getNamespace();
        String root = namespace == null || namespace.isEmpty() ? locks.root() : "/" + namespace + locks.root();
        ZooKeeperLocks below = new ZooKeeperLocks(root, locks.acl(), locks.commandTimeout());
        Function<String, List<ACL>> acl = ClientAcl.of(client, locks.acl());
        BackendSource source = context -> {
            if (client.getState() != CuratorFrameworkState.STARTED) {
                throw new IllegalArgumentException("the Curator client is "
                        + (client.getState() == CuratorFrameworkState.LATENT ? "not started" : "closed")
                        + ": start it before it is used for locks");
            }
            return opened(new ZooKeeperBackend(client, below, acl, context.timing(), null, new WithdrawnHolders()));
        };
        return source.declaring(declaration(below));
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        long started = timing.nanoTime();
        return commandTimeout.run("lock '" + claim.name() + "'", answer -> {
            Session session = session();
            if (claim.share().equals(Share.READ) && !nodes.contains(claim.holder())) {
                reads.acquire(new ReadRequest(claim, signals, started, answer), session);
            } else {
                acquire(claim, signals, session, node -> new AcquireHandler.Request(claim, node, started, answer));
            }
        });
    }

    private void acquire(
            Claim claim,
            SignalListener signals,
            Session session,
            Function<LockNode, AcquireHandler.Request> requestOn) {
        LockNode node = node(claim, session, signals, false);
        AcquireHandler.Request request = requestOn.apply(node);
        if (node.session() == session && !withdrawn.contains(claim.holder())) {
            acquires.completeFrom(request, node.attempt());
        } else {
            acquires.completeGone(request);
        }
    }

    private Session session() {
        if (closed) {
            throw closedAlready();
        }
        return currentSession.get();
    }

    private static BackendFailure closedAlready() {
        return ZooKeeperFailures.notSent("this ZooKeeper backend is closed", null);
    }

    /** The holder's node, a new one if it has none. The caller checks afterwards whether the holder was withdrawn before. */
    private LockNode node(Claim claim, Session session, SignalListener signals, boolean replaces) {
        LockNode node = nodes.of(claim, session, currentSession::get, replaces);
        if (closed) {
            // close() may have looked at the nodes before this one was there.
            if (node.state() == LockNode.State.NONE) {
                nodes.forget(node);
            }
            throw closedAlready();
        }
        node.listen(signals);
        return node;
    }

    CommandTimeout commandTimeout() {
        return commandTimeout;
    }

    /** True if the holder has a node of this backend, its own or a shared one. */
    boolean knows(HolderId holder) {
        return nodes.contains(holder) || reads.hasPlace(holder);
    }

    private boolean wasWithdrawn(HolderId holder) {
        return withdrawn.contains(holder);
    }

    Readiness readiness() {
        try {
            return acquires.deadlineFarEnough(currentSession.get()) ? Readiness.READY : Readiness.UNCONFIRMED;
        } catch (BackendFailure notConnected) {
            return Readiness.UNCONNECTED;
        }
    }

    /** True if the session takes another lock. True without a connection: a request then fails with the reason. */
    boolean hasRoom() {
        Session latest = currentSession.latest();
        return latest == null || latest.paths().hasRoom();
    }

    /** True if the session has nodes of the lock, and takes another one. */
    boolean mayAddTo(LockName lock) {
        Session latest = currentSession.latest();
        return latest != null && latest.paths().mayAddTo(lock);
    }

    /** True without any holder, waiter or unfinished removal. */
    boolean idle() {
        return nodes.isEmpty() && reads.isEmpty();
    }

    int ownNodes() {
        return nodes.size();
    }

    /** The node on which a holder stands: its own, or one that several readers share; null if it has none. */
    @Nullable
    LockNode nodeOf(HolderId holder) {
        LockNode shared = reads.nodeOf(holder);
        return shared != null ? shared : nodes.get(holder);
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        long started = timing.nanoTime();
        Session session;
        try {
            session = session();
        } catch (BackendFailure failure) {
            return Transfer.failed(failure);
        }
        LockNode old = nodes.get(from.claim().holder());
        boolean known = nodes.contains(to.holder()) || withdrawn.contains(to.holder());
        boolean shared = !from.claim().share().isExclusive() || !to.share().isExclusive();
        if (shared || known || old == null || !old.held() || old.session() != session) {
            return LockBackend.super.transfer(from, to, signals);
        }
        LockNode node;
        try {
            node = node(to, session, signals, true);
        } catch (BackendFailure failure) {
            return Transfer.failed(failure);
        }
        CompletableFuture<EntryResult> attempt = node.attemptReplacing(old);
        CompletableFuture<Released> removed = attempt.handle((result, failure) -> removeReplaced(old, failure))
                .thenCompose(removing -> removing);
        return new Transfer(
                commandTimeout.run(
                        "release lock '" + to.name() + "'", answer -> CompletableFutures.forward(removed, answer)),
                commandTimeout.run(
                        "transfer lock '" + to.name() + "'",
                        answer ->
                                acquires.completeFrom(new AcquireHandler.Request(to, node, started, answer), attempt)));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        long started = timing.nanoTime();
        return commandTimeout.run(
                "confirm " + held.size() + " locks",
                answer -> CompletableFutures.forward(
                        Renewals.of(held, this::nodeOf, session(), started, heartbeat::confirm), answer));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        HolderId holder = claim.holder();
        return commandTimeout.run("release lock '" + claim.name() + "'", answer -> {
            LockNode known = nodeOf(holder);
            if (known == null || !known.held()) {
                withdrawn.add(holder);
            }
            CompletableFuture<Released> left = reads.release(holder);
            LockNode node = nodes.get(holder);
            if (left != null) {
                CompletableFutures.forward(left, answer);
            } else if (node != null) {
                CompletableFutures.forward(remove(node), answer);
            } else {
                answer.complete(Released.NOT_HELD);
            }
        });
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return Optional.of((name, floor) -> commandTimeout.run("raise the token floor of '" + name + "'", answer -> {
            if (floor >= Grant.TOKEN_LIMIT / 2) {
                throw ZooKeeperFailures.incompatible(
                        "the token floor " + floor + " leaves no room for tokens above it");
            }
            LockFolder folder = LockFolder.of(locks.root(), name);
            TokenFloorRaise raise = new TokenFloorRaise(folder, session(), timing, locks.commandTimeout());
            CompletableFutures.forward(raise.to(floor), answer);
        }));
    }

    @Override
    public Optional<Inspector> inspector() {
        return Optional.of(inspector);
    }

    /** The outage that lost the answer to the transaction may also lose the first removal. A later removal then decides the outcome. */
    private CompletableFuture<Released> removeReplaced(LockNode old, @Nullable Throwable unanswered) {
        CompletableFuture<Released> first = remove(old);
        return unanswered == null ? first : old.removal().success();
    }

    /**
     * Removes a node. If that fails, repeats it in the background until it succeeds. Completes when this backend has forgotten the node,
     * so that its holder may try again.
     */
    CompletableFuture<Released> remove(LockNode node) {
        return node.removal().attempt().whenComplete((released, failure) -> {
            if (failure == null || currentSession.curatorClosed()) {
                nodes.forget(node);
                stopWatchingOnceEmpty();
            } else if (!closed && node.removal().claimRetry()) {
                retries.add(node);
            }
        });
    }

    /**
     * Ends this backend's own session, and with it every grant. On a client of the application, deletes this backend's nodes, and waits for
     * the servers at most the command timeout. If the connection is interrupted, the nodes that are left are deleted as soon as the client
     * is connected again, or end with its session.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        heartbeat.close();
        disconnect.run();
    }

    private void disconnect(CuratorFramework client) {
        currentSession.close();
        CuratorClientFactory.close(client, locks.commandTimeout());
    }

    private void removeAll() {
        try {
            CompletableFutures.allOf(nodes.all().stream().map(this::remove).toList())
                    .get(locks.commandTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The background deletes the rest: the session of the user's client may never end.
        }
        stopWatchingOnceEmpty();
    }

    private void stopWatchingOnceEmpty() {
        if (closed && nodes.isEmpty()) {
            currentSession.close();
        }
    }

    /** The backend's operations for readers that share nodes. */
    private final class NodesForReaders implements ReadNodes.Backend {
        @Override
        public Session session() {
            return ZooKeeperBackend.this.session();
        }

        @Override
        public LockNode newNode(Claim claim, Session session) {
            return node(claim, session, signal -> {}, false);
        }

        @Override
        public void acquireAlone(ReadRequest request, Session session) {
            acquire(request.claim(), request.signals(), session, request::on);
        }

        @Override
        public CompletableFuture<Released> remove(LockNode node) {
            return ZooKeeperBackend.this.remove(node);
        }

        @Override
        public boolean wasWithdrawn(HolderId holder) {
            return ZooKeeperBackend.this.wasWithdrawn(holder);
        }
    }
}
