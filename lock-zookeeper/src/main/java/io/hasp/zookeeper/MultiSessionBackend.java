package io.hasp.zookeeper;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.ClientThreads;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.recipe.WithdrawnHolders;
import io.hasp.zookeeper.session.CommandTimeout;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the locks of one client over as many sessions as their paths need, see {@code SessionPaths}: most clients need one. All present
 * nodes of a lock are in one session, so that requests for the lock keep their order. Thread-safe.
 *
 * <p>A session that cannot grant now gets no new node, and a new session takes its place: after a stall an old session needs a quarter of
 * its timeout to prove a later deadline, and a new session has one at once, see {@code SessionDeadline}. Sessions without nodes are closed
 * again, except the first.
 */
public final class MultiSessionBackend implements LockBackend {
    private static final Duration IDLE_CHECK = Duration.ofSeconds(10);

    private final Function<WithdrawnHolders, ZooKeeperBackend> connect;
    private final CommandTimeout commandTimeout;
    private final ZooKeeperBackend first;
    private final List<ZooKeeperBackend> sessions = new CopyOnWriteArrayList<>();
    /** Withdrawn holders of all sessions: a withdrawal may overtake an attempt that finds its session later. */
    private final WithdrawnHolders withdrawn = new WithdrawnHolders();
    /** Read-locked from the choice of a session until the session has the node, write-locked while idle sessions leave the list. */
    private final ReadWriteLock choice = new ReentrantReadWriteLock();

    private @Nullable CompletableFuture<ZooKeeperBackend> opening;
    private volatile boolean closed;

    /**
     * Creates a backend with one session.
     *
     * @param connect opens a session; blocks, and throws a {@link BackendFailure} if no server answers
     */
    MultiSessionBackend(Function<WithdrawnHolders, ZooKeeperBackend> connect) {
        this.connect = connect;
        this.first = connect.apply(withdrawn);
        this.commandTimeout = first.commandTimeout();
        sessions.add(first);
    }

    @Override
    public Capabilities capabilities() {
        return first.capabilities();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        choice.readLock().lock();
        try {
            ZooKeeperBackend place = placeOf(claim.holder());
            if (place == null) {
                place = choose(claim.name());
            }
            if (place != null) {
                return place.acquire(claim, signals);
            }
        } finally {
            choice.readLock().unlock();
        }
        return acquireInNewSession(claim, signals);
    }

    /** The session with a node of this holder; null if there is none. */
    private @Nullable ZooKeeperBackend placeOf(HolderId holder) {
        for (ZooKeeperBackend each : sessions) {
            if (each.knows(holder)) {
                return each;
            }
        }
        return null;
    }

    /** The session for a new node; null if a new session is needed. Without any connection the first session gives the reason. */
    private @Nullable ZooKeeperBackend choose(LockName lock) {
        ZooKeeperBackend chosen = null;
        boolean connected = false;
        for (ZooKeeperBackend each : sessions) {
            ZooKeeperBackend.Readiness readiness = each.readiness();
            connected |= readiness != ZooKeeperBackend.Readiness.UNCONNECTED;
            if (readiness == ZooKeeperBackend.Readiness.READY) {
                if (each.mayAddTo(lock)) {
                    return each;
                }
                chosen = chosen == null && each.hasRoom() ? each : chosen;
            }
        }
        return connected ? chosen : first;
    }

    private CompletionStage<Attempt> acquireInNewSession(Claim claim, SignalListener signals) {
        return commandTimeout.run(
                "open another session for lock '" + claim.name() + "'",
                answer -> CompletableFutures.forward(
                        open().thenCompose(opened -> withdrawn.contains(claim.holder())
                                ? CompletableFuture.completedFuture(new Attempt.Gone())
                                : acquire(claim, signals)),
                        answer));
    }

    private CompletableFuture<ZooKeeperBackend> open() {
        CompletableFuture<ZooKeeperBackend> opened;
        synchronized (this) {
            if (opening != null) {
                return opening;
            }
            opened = new CompletableFuture<>();
            opening = opened;
        }
        thread(() -> open(opened)).start();
        return opened;
    }

    private void open(CompletableFuture<ZooKeeperBackend> opened) {
        try {
            ZooKeeperBackend next = connect.apply(withdrawn);
            if (add(next)) {
                scheduleIdleCheck();
                opened.complete(next);
            } else {
                next.close();
                opened.completeExceptionally(ZooKeeperFailures.notSent("this ZooKeeper backend is closed", null));
            }
        } catch (RuntimeException | Error failure) {
            openingEnded();
            opened.completeExceptionally(failure);
        }
    }

    private synchronized void openingEnded() {
        opening = null;
    }

    /** False if this backend is closed. */
    private synchronized boolean add(ZooKeeperBackend next) {
        opening = null;
        return !closed && sessions.add(next);
    }

    private void scheduleIdleCheck() {
        commandTimeout.timing().schedule(IDLE_CHECK, this::closeIdle);
    }

    /** Closes one further session without nodes, if another session is ready for new locks. */
    private void closeIdle() {
        ZooKeeperBackend idle = null;
        choice.writeLock().lock();
        try {
            if (!closed && sessions.size() > 1 && anyReady()) {
                idle = sessions.stream()
                        .filter(each -> each != first && each.idle())
                        .findFirst()
                        .orElse(null);
                sessions.remove(idle);
            }
        } finally {
            choice.writeLock().unlock();
        }
        if (idle != null) {
            thread(idle::close).start();
        }
        if (!closed && sessions.size() > 1) {
            scheduleIdleCheck();
        }
    }

    private boolean anyReady() {
        return sessions.stream()
                .anyMatch(each -> each.hasRoom()
                        && each.readiness() == ZooKeeperBackend.Readiness.READY
                        && (each == first || !each.idle()));
    }

    private static Thread thread(Runnable task) {
        return ClientThreads.daemon(task, "hasp-zookeeper");
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        ZooKeeperBackend place = placeOf(from.claim().holder());
        ZooKeeperBackend waits = placeOf(to.holder());
        return place != null
                        && (waits == null || waits == place)
                        && place.readiness() == ZooKeeperBackend.Readiness.READY
                ? place.transfer(from, to, signals)
                : LockBackend.super.transfer(from, to, signals);
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        Map<ZooKeeperBackend, List<Grant>> bySession = new LinkedHashMap<>();
        ZooKeeperBackend session = first;
        for (Grant grant : held) {
            // Locks that are renewed together were mostly acquired together, in one session.
            if (!session.knows(grant.claim().holder())) {
                ZooKeeperBackend place = placeOf(grant.claim().holder());
                session = place != null ? place : first;
            }
            bySession.computeIfAbsent(session, each -> new ArrayList<>()).add(grant);
        }
        if (bySession.size() == 1) {
            return bySession.keySet().iterator().next().renew(held);
        }
        IdentityHashMap<Grant, Renewal> renewals = new IdentityHashMap<>();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        bySession.forEach((place, grants) -> all.add(renew(place, grants)
                .thenAccept(answers -> collect(grants, answers, renewals))
                .toCompletableFuture()));
        return CompletableFutures.allOf(all)
                .thenApply(done -> held.stream().map(renewals::get).toList());
    }

    /** The failure of one session says nothing about the grants of the others. */
    private static CompletionStage<List<Renewal>> renew(ZooKeeperBackend session, List<Grant> grants) {
        return session.renew(grants).exceptionally(failure -> {
            if (BackendFailure.causeOf(failure) instanceof BackendFailure unanswered) {
                return grants.stream()
                        .<Renewal>map(grant -> new Renewal.Unknown(unanswered))
                        .toList();
            }
            throw ZooKeeperFailures.unknown("could not confirm " + grants.size() + " locks: " + failure);
        });
    }

    private static void collect(List<Grant> grants, List<Renewal> answers, IdentityHashMap<Grant, Renewal> renewals) {
        synchronized (renewals) {
            for (int i = 0; i < grants.size(); i++) {
                renewals.put(grants.get(i), answers.get(i));
            }
        }
    }

    /**
     * Releases a holder. A holder without a place is withdrawn in each session, because a release may overtake the attempt that it ends.
     */
    @Override
    public CompletionStage<Released> release(Claim claim) {
        ZooKeeperBackend place = placeOf(claim.holder());
        if (place != null) {
            return place.release(claim);
        }
        CompletionStage<Released> all = first.release(claim);
        for (ZooKeeperBackend each : sessions) {
            if (each != first) {
                all = all.thenCombine(each.release(claim), (a, b) -> a == Released.RELEASED ? a : b);
            }
        }
        return all;
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return first.tokenFloor();
    }

    @Override
    public Optional<Inspector> inspector() {
        return first.inspector();
    }

    public int sessions() {
        return sessions.size();
    }

    public boolean idle() {
        return sessions.stream().allMatch(ZooKeeperBackend::idle);
    }

    /** True if no more than {@code nodes} nodes are left. */
    boolean idleBut(int nodes) {
        return sessions.stream().mapToInt(ZooKeeperBackend::ownNodes).sum() <= nodes;
    }

    @Nullable
    LockNode nodeOf(HolderId holder) {
        ZooKeeperBackend place = placeOf(holder);
        return place == null ? null : place.nodeOf(holder);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        List<Thread> closings =
                sessions.stream().map(each -> thread(each::close)).toList();
        closings.forEach(Thread::start);
        try {
            for (Thread closing : closings) {
                closing.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
