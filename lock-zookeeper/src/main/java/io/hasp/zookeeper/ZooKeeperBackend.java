package io.hasp.zookeeper;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Locks on ZooKeeper: an ephemeral sequential node for each holder and waiter of a lock. Thread-safe.
 *
 * <p>The recipe is ZooKeeper's own ("Recipes and Solutions", locks), with these differences: create and listing travel in
 * one flight; the fencing token is the creating transaction's id (czxid), which survives the deletion of every node; a
 * holder is told when its session or node is gone; and a request without an answer is cleared up by the holder id that is
 * part of each node's name.
 *
 * <p>What is <em>not</em> guaranteed: a grant ends with the session, not with a lease of its own, so a fixed lease is
 * kept by the client alone; while the process is paused it can't be, and only the fencing token protects.
 */
public final class ZooKeeperBackend implements LockBackend {
    private static final Duration PAUSE_BETWEEN_DEPARTURES = Duration.ofMillis(250);
    private static final Capabilities CAPABILITIES = Capabilities.of(
                    Capabilities.Ordering.FIFO, Capabilities.Enforcement.SESSION)
            .surviving(Capabilities.Survives.SERVER_RESTART, Capabilities.Survives.FAILOVER);

    private final ZooKeeperLocks locks;
    private final Timing timing;
    private final Sessions sessions;
    private final Runnable disconnect;
    private final Map<HolderId, Place> places = new ConcurrentHashMap<>();
    private final Withdrawn withdrawn = new Withdrawn();
    private final CommandTimeout limit;
    private final Heartbeat heartbeat;
    private final Answers answers;
    private volatile boolean closed;

    /** On a client of the user's, or on its own, whose handles are known. */
    private ZooKeeperBackend(CuratorFramework client, ZooKeeperLocks locks, Timing timing, @Nullable Handles handles) {
        this.locks = locks;
        this.timing = timing;
        this.disconnect = handles == null ? this::departAll : () -> disconnect(client);
        Function<ZooKeeper, OptionalLong> madeAt = handles == null ? handle -> OptionalLong.empty() : handles::madeAt;
        this.sessions = new Sessions(client, locks.acl(), timing, madeAt, new Fate());
        this.limit = new CommandTimeout(locks.commandTimeout(), timing, sessions::servers);
        this.heartbeat = new Heartbeat(timing, sessions::current, places.values());
        this.answers = new Answers(timing, this::depart);
    }

    private static ZooKeeperBackend opened(ZooKeeperBackend backend) {
        backend.heartbeat.now();
        return backend;
    }

    /**
     * Connects a client of its own. Opening fails with a {@link BackendFailure} that names the servers if none of them
     * answers within the connection timeout.
     *
     * @param config the servers and how to use them
     * @return what {@code LockClient.over} takes; closing the lock client ends the session
     */
    public static BackendSource by(ZooKeeperConfig config) {
        return context -> {
            Handles handles = new Handles(context.timing());
            CuratorFramework client = Connection.open(config, handles);
            return opened(new ZooKeeperBackend(client, config.locks(), context.timing(), handles));
        };
    }

    /**
     * Uses a client that runs already, with its chroot, namespace, credentials and session. The deadlines follow that
     * session's timeout.
     *
     * @param client started, and closed by its owner after the lock client; if it is closed before, the locks are lost, and told
     *     to be at once (within a quarter of the session timeout if it is a view of a namespace)
     * @param locks where and how the locks are kept; the root is below the client's namespace
     * @return what {@code LockClient.over} takes; closing the lock client deletes its nodes and leaves this client open. Opening
     *     fails with an {@link IllegalArgumentException} if the client is not started or is closed
     */
    public static BackendSource on(CuratorFramework client, ZooKeeperLocks locks) {
        String namespace = client.getNamespace();
        String root = namespace == null || namespace.isEmpty() ? locks.root() : "/" + namespace + locks.root();
        ZooKeeperLocks below = new ZooKeeperLocks(root, locks.acl(), locks.commandTimeout());
        return context -> {
            if (client.getState() != CuratorFrameworkState.STARTED) {
                throw new IllegalArgumentException("the Curator client is "
                        + (client.getState() == CuratorFrameworkState.LATENT ? "not started" : "closed")
                        + ": start it before it is used for locks");
            }
            return opened(new ZooKeeperBackend(client, below, context.timing(), null));
        };
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        long started = timing.nanoTime();
        return limit.on("lock '" + claim.name() + "'", answer -> {
            Session session = session();
            Place place = place(claim, session, signals);
            Answers.Asked asked = new Answers.Asked(claim, place, started, answer);
            if (place.session() == session && !withdrawn.contains(claim.holder())) {
                answers.give(asked, place.attempt());
            } else {
                answers.gone(asked);
            }
        });
    }

    private Session session() {
        if (closed) {
            throw Failures.notSent("this ZooKeeper backend is closed", null);
        }
        return sessions.current();
    }

    /** The holder's place, a new one if it has none. Whether it was withdrawn before is to be asked afterwards. */
    private Place place(Claim claim, Session session, SignalListener signals) {
        Place place = places.computeIfAbsent(
                claim.holder(),
                holder -> new Place(Folder.of(locks.root(), claim.name()), holder, session, sessions::current));
        place.listen(signals);
        return place;
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
        Place old = places.get(from.claim().holder());
        boolean known = places.containsKey(to.holder()) || withdrawn.contains(to.holder());
        if (known || old == null || !old.held() || old.session() != session) {
            return LockBackend.super.transfer(from, to, signals);
        }
        Place place = place(to, session, signals);
        CompletableFuture<Place.Standing> entered = place.attemptInPlaceOf(old);
        CompletableFuture<Released> departed =
                entered.handle((standing, failure) -> depart(old)).thenCompose(departing -> departing);
        return new Transfer(
                limit.on("release lock '" + to.name() + "'", answer -> Futures.relay(departed, answer)),
                limit.on(
                        "hand on lock '" + to.name() + "'",
                        answer -> answers.give(new Answers.Asked(to, place, started, answer), entered)));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        long started = timing.nanoTime();
        return limit.on(
                "confirm " + held.size() + " locks",
                answer -> Futures.relay(Renewals.of(held, places::get, session(), started), answer));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        HolderId holder = claim.holder();
        return limit.on("release lock '" + claim.name() + "'", answer -> {
            Place known = places.get(holder);
            if (known == null || !known.held()) {
                withdrawn.add(holder);
            }
            Place place = places.get(holder);
            if (place == null) {
                answer.complete(Released.NOT_HELD);
            } else {
                Futures.relay(depart(place), answer);
            }
        });
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return Optional.of((name, floor) -> limit.on("raise the token floor of '" + name + "'", answer -> {
            if (floor >= Answers.TOKENS_END / 2) {
                throw Failures.incompatible("the token floor " + floor + " leaves no room for tokens above it");
            }
            Futures.relay(Folder.of(locks.root(), name).raiseFloor(floor, session()), answer);
        }));
    }

    /** Gives a place up; if that fails now, again and again in the background until it is certain. */
    private CompletableFuture<Released> depart(Place place) {
        CompletableFuture<Released> attempt = place.departure().attempt();
        attempt.whenComplete((released, failure) -> {
            if (failure == null || sessions.over()) {
                places.remove(place.holder(), place);
                stopWatchingOnceEmpty();
            } else if (!closed && place.departure().repeat()) {
                timing.schedule(PAUSE_BETWEEN_DEPARTURES, () -> {
                    place.departure().repeating();
                    depart(place);
                });
            }
        });
        return attempt;
    }

    /**
     * Ends the session if it is this backend's own, and with it every grant. On a client of the user's, deletes this backend's
     * nodes and waits for the servers at most the command timeout; what is left then, because the connection is interrupted, is
     * deleted as soon as that client is connected again, or ends with its session.
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
        sessions.close();
        Connection.close(client, locks.commandTimeout());
    }

    private void departAll() {
        try {
            Futures.all(places.values().stream().map(this::depart).toList())
                    .get(locks.commandTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // What is left is deleted later: the session of a client that is not ours may last for ever.
        }
        stopWatchingOnceEmpty();
    }

    private void stopWatchingOnceEmpty() {
        if (closed && places.isEmpty()) {
            sessions.close();
        }
    }

    /** What the session's fate means for the holders. */
    private final class Fate implements Sessions.Watching {
        /** Waiters attempt again, and so learn of the outage: their last refusal must not pass for an answer of now. */
        @Override
        public void suspended() {
            places.values().forEach(place -> place.signal(place.held() ? Signal.SUSPECT : Signal.MAYBE_FREE));
        }

        @Override
        public void connected() {
            if (closed) {
                departLeft();
            } else {
                heartbeat.now();
            }
        }

        private void departLeft() {
            places.values().forEach(ZooKeeperBackend.this::depart);
        }

        @Override
        public void restored(Session session) {
            if (closed) {
                departLeft();
                return;
            }
            endWhatWasPromisedTooLong(session);
            heartbeat.now();
            places.values().stream().filter(Place::held).forEach(place -> place.signal(Signal.RESTORED));
        }

        /** The server that took the session up again may keep it for a shorter time than the holders were told. */
        private void endWhatWasPromisedTooLong(Session session) {
            if (closed || !session.promisedTooMuch()) {
                return;
            }
            long left = session.deadline() - timing.nanoTime();
            if (left > 0) {
                timing.schedule(Duration.ofNanos(left), () -> endWhatWasPromisedTooLong(session));
            } else {
                places.values().stream()
                        .filter(place -> place.session() == session && place.held())
                        .forEach(this::lost);
            }
        }

        @Override
        public void ended(Session session) {
            for (Place place : places.values()) {
                if (place.session() == session && place.held()) {
                    lost(place);
                } else if (place.session() == session) {
                    place.signal(Signal.MAYBE_FREE);
                }
            }
        }

        private void lost(Place place) {
            depart(place);
            place.signal(Signal.LOST);
        }
    }
}
