package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.layout.TokenFloorNode;
import io.hasp.zookeeper.readers.ReadNodes;
import io.hasp.zookeeper.readers.ReadRequest;
import io.hasp.zookeeper.recipe.AcquireHandler;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.recipe.WithdrawnHolders;
import io.hasp.zookeeper.session.CreatedNode;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionClock;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooDefs;
import org.jspecify.annotations.Nullable;

/**
 * Readers of one client, and writers of another one, at a lock whose server the test plays. Each answer to a {@link WorldReader} is
 * compared with the folder as it is at that moment.
 */
public final class ReadersWorld implements ReadNodes.Backend {
    private static final LockFolder FOLDER = LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName("read"));
    private static final int FOREIGN = 99;
    private static final String WRITER = NodeName.prefix(new HolderId("writer"), Share.WRITE, false);
    public static final long STARTED = System.nanoTime();

    public final ScriptedFolder folder = new ScriptedFolder();
    public final ReadNodes reads = new ReadNodes(this, new SessionClock());
    private final Map<HolderId, LockNode> nodes = new LinkedHashMap<>();
    private final List<LockNode> unremoved = new ArrayList<>();
    private final WithdrawnHolders withdrawn = new WithdrawnHolders();
    private final AcquireHandler alone;
    private final ScriptedHandle[] handles;
    public ScriptedHandle handle;
    private @Nullable Session session;
    private int epoch = -1;
    private int removals;
    private final List<WorldReader> readers = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    public Runnable whenSessionIsAsked = () -> {};

    public ReadersWorld(ScriptedHandle... handles) {
        this.handles = handles;
        this.handle = handles[0];
        this.alone = new AcquireHandler(new SessionClock(), request -> remove(request.node()));
        connect();
    }

    public WorldReader reader(boolean queue) {
        WorldReader reader = new WorldReader(this, "reader-" + (readers.size() + 1), queue);
        readers.add(reader);
        return reader;
    }

    // What happens on the server

    void connect() {
        handle = handles[++epoch];
        handle.begin(folder);
        Session now = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock(), OptionalLong.of(STARTED));
        handle.connectionWatcher(now.watcher());
        session = now;
    }

    public boolean expire() {
        if (epoch + 1 == handles.length) {
            return false;
        }
        ScriptedHandle former = handle;
        Session over = requireNonNull(session);
        former.expire();
        session = null;
        over.end();
        for (LockNode node : List.copyOf(nodes.values())) {
            if (node.session() == over && node.held()) {
                remove(node);
                node.signal(Signal.LOST);
            } else if (node.session() == over) {
                node.signal(Signal.MAYBE_FREE);
            }
        }
        connect();
        while (former.deliver()) {}
        return true;
    }

    public boolean writerComes() {
        folder.create(WRITER, FOREIGN);
        return true;
    }

    public boolean writerGoes() {
        return folder.names().stream()
                .filter(ReadersWorld::isWriter)
                .findFirst()
                .filter(folder::delete)
                .isPresent();
    }

    /** The writer that holds the lock goes on as a reader. */
    public boolean writerLowers() {
        String first = folder.names().stream()
                .filter(name -> NodeName.parse(name) != null)
                .min(Comparator.comparingLong(NodeOrder::sequence))
                .orElse("");
        if (!isWriter(first)) {
            return false;
        }
        folder.substitute(
                first,
                requireNonNull(NodeName.parse(first)).withShare(Share.READ).text());
        return true;
    }

    public boolean administratorDeletes() {
        return folder.names().stream()
                .filter(name -> own(name))
                .findFirst()
                .filter(folder::delete)
                .isPresent();
    }

    public boolean raiseFloor() {
        folder.create(TokenFloorNode.prefix(1000L * folder.latest()), ScriptedFolder.NO_OWNER);
        return true;
    }

    static boolean isWriter(String name) {
        return name.startsWith(WRITER);
    }

    private boolean own(String name) {
        return requireNonNull(folder.now().get(name)).owner() != FOREIGN && NodeName.parse(name) != null;
    }

    // What must be true

    /** Something is wrong in a callback, where an exception could be lost: the test fails after the step. */
    void wrong(String what) {
        wrong.add(what);
    }

    public void check() {
        assertThat(wrong).isEmpty();
    }

    @Nullable
    public LockNode nodeOf(HolderId holder) {
        LockNode shared = reads.nodeOf(holder);
        return shared != null ? shared : nodes.get(holder);
    }

    public List<String> ownNodes() {
        return folder.names().stream().filter(this::own).toList();
    }

    public int removals() {
        return removals;
    }

    public boolean isWithdrawn(HolderId holder) {
        return withdrawn.contains(holder);
    }

    public boolean nothingIsKept() {
        return nodes.isEmpty() && unremoved.isEmpty() && reads.isEmpty();
    }

    /** Everything is served and delivered, and what failed to be removed is removed again. */
    public void settle() {
        boolean again = true;
        while (again) {
            boolean caughtUp = handle.catchUp();
            again = settleWithoutCatchingUp() || caughtUp;
            if (!again && !unremoved.isEmpty()) {
                List<LockNode> failed = List.copyOf(unremoved);
                unremoved.clear();
                failed.forEach(this::remove);
                again = true;
            }
        }
    }

    /** All requests are served, and an error takes that many answers. */
    public void settleAfterDropping(int count) {
        while (handle.serve()) {}
        for (int i = 0; i < count; i++) {
            handle.drop();
        }
        settle();
    }

    public boolean settleWithoutCatchingUp() {
        boolean any = false;
        while (handle.serve() || handle.deliver()) {
            any = true;
        }
        return any;
    }

    /** As the backend does from time to time: finds the nodes that an administrator deleted. */
    public void heartbeat() {
        for (LockNode node : List.copyOf(nodes.values())) {
            if (node.active() && !folder.now().containsKey(CreatedNode.nameOf(node.path()))) {
                node.vanished(node.path());
            }
        }
        settle();
    }

    /** All who are still there leave; the rest is awaited. */
    public void releaseAll() {
        whenSessionIsAsked = () -> {};
        settle();
        readers.stream().filter(reader -> !reader.isReleased()).forEach(WorldReader::release);
        settle();
        check();
    }

    // What the backend does

    CompletableFuture<Released> release(HolderId holder) {
        LockNode known = nodeOf(holder);
        if (known == null || !known.held()) {
            withdrawn.add(holder);
        }
        CompletableFuture<Released> left = reads.release(holder);
        LockNode alone = nodes.get(holder);
        if (left == null && alone == null) {
            return CompletableFuture.completedFuture(Released.NOT_HELD);
        }
        return left == null ? remove(requireNonNull(alone)) : left;
    }

    @Override
    public Session session() {
        whenSessionIsAsked.run();
        if (session == null) {
            throw ZooKeeperFailures.notSent("between two sessions", null);
        }
        return session;
    }

    @Override
    public LockNode newNode(Claim claim, Session creating) {
        LockNode node = new LockNode(FOLDER, claim, creating, () -> {
            if (session == null) {
                throw ZooKeeperFailures.notSent("between two sessions", null);
            }
            return session;
        });
        nodes.put(claim.holder(), node);
        return node;
    }

    @Override
    public void acquireAlone(ReadRequest request, Session creating) {
        LockNode own = nodes.get(request.holder());
        LockNode node = own == null ? newNode(request.claim(), creating) : own;
        node.listen(request.signals());
        if (withdrawn.contains(request.holder())) {
            alone.completeGone(request.on(node));
        } else {
            alone.completeFrom(request.on(node), node.attempt());
        }
    }

    @Override
    public CompletableFuture<Released> remove(LockNode node) {
        removals++;
        CompletableFuture<Released> removal = node.removal().attempt();
        removal.whenComplete((released, failure) -> {
            if (failure == null) {
                nodes.remove(node.holder(), node);
            } else if (!unremoved.contains(node)) {
                unremoved.add(node);
            }
        });
        return removal;
    }

    @Override
    public boolean wasWithdrawn(HolderId holder) {
        return withdrawn.contains(holder);
    }
}
