package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
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
 * Readers of one client, and writers of another one, at a lock whose server the test plays. Whatever a reader is told is compared
 * with the folder as it is at that moment.
 */
final class ReadersWorld implements ReadNodes.Backend {
    private static final LockFolder FOLDER = LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName("read"));
    private static final int FOREIGN = 99;
    private static final String WRITER = NodeName.prefix(new HolderId("writer"), Share.WRITE);
    private static final long STARTED = System.nanoTime();

    /** A reader, under one holder id. */
    final class Reader {
        final Claim claim;
        final List<Signal> signals = new ArrayList<>();
        final List<CompletableFuture<Attempt>> calls = new ArrayList<>();
        private final int asked = folder.latest();
        private @Nullable CompletableFuture<Released> released;
        private boolean woken;
        private @Nullable Attempt last;
        private boolean failed;

        private Reader(boolean queue) {
            claim = Claim.renewedLease(new LockName("read"), new HolderId("reader-" + ++ids), Probe.LEASE, queue)
                    .withShare(Share.READ);
        }

        /** Calls, for the first time or again. */
        void call() {
            CompletableFuture<Attempt> call = new CompletableFuture<>();
            calls.add(call);
            woken = false;
            call.whenComplete(this::answered);
            try {
                reads.acquire(new ReadRequest(claim, this::signalled, STARTED, call), session());
            } catch (BackendFailure failure) {
                call.completeExceptionally(failure);
            }
        }

        private void answered(@Nullable Attempt attempt, @Nullable Throwable failure) {
            outsideTheMonitor();
            failed = failure != null;
            last = attempt;
            assertThat(released != null && released.isDone() && attempt instanceof Attempt.Granted)
                    .as("%s is granted after its release", claim.holder())
                    .isFalse();
            if (attempt instanceof Attempt.Granted granted) {
                checkGrant(this, granted.grant().token());
            }
        }

        private void signalled(Signal signal) {
            outsideTheMonitor();
            signals.add(signal);
            woken |= signal == Signal.MAYBE_FREE;
        }

        CompletableFuture<Released> release() {
            LockNode known = nodeOf(this);
            if (known == null || !known.held()) {
                withdrawn.add(claim.holder());
            }
            CompletableFuture<Released> answer = reads.release(claim.holder());
            LockNode alone = nodes.get(claim.holder());
            released = answer != null
                    ? answer
                    : alone != null ? remove(alone) : CompletableFuture.completedFuture(Released.NOT_HELD);
            return released;
        }

        boolean isReleased() {
            return released != null;
        }

        boolean answered() {
            return calls.stream().allMatch(CompletableFuture::isDone);
        }

        boolean failed() {
            return failed;
        }

        boolean granted() {
            return last instanceof Attempt.Granted;
        }

        boolean isBusy() {
            return answered() && last instanceof Attempt.Busy;
        }

        /** Whether it waits to be told. */
        boolean waits() {
            return isBusy() && claim.queue() && !woken && !isReleased();
        }

        /** Whether it has nothing, and never will: it left, or was told so. */
        boolean isOver() {
            return isReleased() || (answered() && (last instanceof Attempt.Gone || (isBusy() && !claim.queue())));
        }
    }

    final ScriptedFolder folder = new ScriptedFolder();
    final ReadNodes reads = new ReadNodes(this, new SessionClock());
    private final Map<HolderId, LockNode> nodes = new LinkedHashMap<>();
    private final List<LockNode> unremoved = new ArrayList<>();
    private final WithdrawnHolders withdrawn = new WithdrawnHolders();
    private final AcquireHandler alone;
    private final ScriptedHandle[] handles;
    ScriptedHandle handle;
    private @Nullable Session session;
    private int epoch = -1;
    private int ids;
    private int removals;
    final List<Reader> readers = new ArrayList<>();
    Runnable whenSessionIsAsked = () -> {};

    ReadersWorld(ScriptedHandle... handles) {
        this.handles = handles;
        this.handle = handles[0];
        this.alone = new AcquireHandler(new SessionClock(), request -> remove(request.node()));
        connect();
    }

    Reader reader(boolean queue) {
        Reader reader = new Reader(queue);
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

    boolean expire() {
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

    boolean writerComes() {
        folder.create(WRITER, FOREIGN);
        return true;
    }

    boolean writerGoes() {
        return folder.names().stream()
                .filter(ReadersWorld::isWriter)
                .findFirst()
                .filter(folder::delete)
                .isPresent();
    }

    /** The writer that holds the lock goes on as a reader. */
    boolean writerLowers() {
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

    boolean administratorDeletes() {
        return folder.names().stream()
                .filter(name -> own(name))
                .findFirst()
                .filter(folder::delete)
                .isPresent();
    }

    boolean raiseFloor() {
        folder.create(TokenFloorNode.prefix(1000L * folder.latest()), ScriptedFolder.NO_OWNER);
        return true;
    }

    private static boolean isWriter(String name) {
        return name.startsWith(WRITER);
    }

    private boolean own(String name) {
        return requireNonNull(folder.now().get(name)).owner() != FOREIGN && NodeName.parse(name) != null;
    }

    // What must be true

    private void outsideTheMonitor() {
        assertThat(Thread.holdsLock(reads)).as("called in the monitor").isFalse();
    }

    /** The grant's node is in the folder and was when the reader called, and no writer is before it, nor came before the call. */
    private void checkGrant(Reader reader, long token) {
        NodeName node = requireNonNull(nodeOf(reader)).name();
        Map<String, ScriptedFolder.Child> asked = folder.version(reader.asked);
        ScriptedFolder.Child child = child(node.text());
        boolean deletedLater = child != null && (asked.containsKey(node.text()) || child.czxid() > reader.asked);
        assertThat(deletedLater)
                .as("%s joined %s, which is gone", reader.claim.holder(), node)
                .isTrue();
        for (String other : folder.names()) {
            NodeName parsed = NodeName.parse(other);
            if (parsed != null && isWriter(other) && folder.now().containsKey(node.text())) {
                assertThat(parsed.sequence())
                        .as("%s reads beside %s", node, other)
                        .isGreaterThan(node.sequence());
            }
        }
        for (String before : asked.keySet()) {
            long sequence = sequence(before);
            if (isWriter(before)) {
                assertThat(folder.now().containsKey(before) && sequence > node.sequence())
                        .as("%s passed %s", reader.claim.holder(), before)
                        .isFalse();
            }
            for (TokenFloorNode floor : TokenFloorNode.parseAll(List.of(before))) {
                assertThat(token).as("token above %s", floor).isGreaterThan(floor.offset());
            }
        }
    }

    private static long sequence(String name) {
        return Long.parseLong(name.substring(name.length() - NodeOrder.DIGITS));
    }

    private ScriptedFolder.@Nullable Child child(String name) {
        for (int version = folder.latest(); version >= 0; version--) {
            ScriptedFolder.Child child = folder.version(version).get(name);
            if (child != null) {
                return child;
            }
        }
        return null;
    }

    @Nullable
    LockNode nodeOf(Reader reader) {
        LockNode shared = reads.nodeOf(reader.claim.holder());
        return shared != null ? shared : nodes.get(reader.claim.holder());
    }

    List<String> ownNodes() {
        return folder.names().stream().filter(this::own).toList();
    }

    int removals() {
        return removals;
    }

    boolean isWithdrawn(Reader reader) {
        return withdrawn.contains(reader.claim.holder());
    }

    boolean nothingIsKept() {
        return nodes.isEmpty() && unremoved.isEmpty() && reads.isEmpty();
    }

    /** Everything is served and delivered, and what failed to be removed is removed again. */
    void settle() {
        boolean again = true;
        while (again) {
            again = handle.catchUp() | handle.serve() | settleWithoutCatchingUp();
            if (!again && !unremoved.isEmpty()) {
                List<LockNode> failed = List.copyOf(unremoved);
                unremoved.clear();
                failed.forEach(this::remove);
                again = true;
            }
        }
    }

    boolean settleWithoutCatchingUp() {
        boolean any = false;
        while (handle.serve() | handle.deliver()) {
            any = true;
        }
        return any;
    }

    /** As the backend does from time to time: finds the nodes that an administrator deleted. */
    void heartbeat() {
        for (LockNode node : List.copyOf(nodes.values())) {
            if (node.active() && !folder.now().containsKey(CreatedNode.nameOf(node.path()))) {
                node.vanished(node.path());
            }
        }
        settle();
    }

    /** All who are still there leave; the rest is awaited. */
    void releaseAll() {
        whenSessionIsAsked = () -> {};
        settle();
        readers.stream().filter(reader -> !reader.isReleased()).forEach(Reader::release);
        settle();
    }

    // What the backend does

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
