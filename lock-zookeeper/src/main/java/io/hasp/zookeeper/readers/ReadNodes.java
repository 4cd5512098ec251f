package io.hasp.zookeeper.readers;

import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that the readers of this client share, see {@link ReadNode}: for each name the latest node, and older nodes that readers still
 * use.
 *
 * <p>Thread-safe. One monitor guards where each reader is, also within the nodes: a reader comes, goes from one node to the next and leaves
 * in one step each. So a release finds a reader wherever it is, and a reader is never in two places. The consequences of a step are handled
 * outside the monitor.
 */
public final class ReadNodes {
    /** The operations of the backend for readers. */
    public interface Backend {
        /** The session that creates nodes; throws a {@link io.hasp.spi.BackendFailure} if there is none. */
        Session session();

        /** A new node, which the backend keeps until it is removed; throws a {@link io.hasp.spi.BackendFailure} if it is closed. */
        LockNode newNode(Claim claim, Session session);

        /** Acquires with a node of its own. */
        void acquireAlone(ReadRequest request, Session session);

        /** Completes when the node is certainly gone from the server. */
        CompletableFuture<Released> remove(LockNode node);

        boolean wasWithdrawn(HolderId holder);
    }

    private final Backend backend;
    private final Timing timing;
    private final Map<LockName, ReadNode> latest = new HashMap<>();
    private final Map<HolderId, ReadNode> places = new HashMap<>();
    private long created;

    public ReadNodes(Backend backend, Timing timing) {
        this.backend = backend;
        this.timing = timing;
    }

    /** Answers a call for reading: from a node that others of this client use, or from a new one. */
    public void acquire(ReadRequest request, Session session) {
        Runnable next;
        synchronized (this) {
            ReadNode own = places.get(request.holder());
            if (own != null) {
                next = own.again(request);
            } else if (backend.wasWithdrawn(request.holder())) {
                next = request::gone;
            } else {
                next = enter(request, session, null);
            }
        }
        next.run();
    }

    /**
     * Gives a reader a place. Returns the next step, to be run outside the monitor.
     *
     *
     *
     * @param left the node that the reader could not join, if any: a new node takes its place on the server if it is unused
     */
    private synchronized Runnable enter(ReadRequest request, Session session, @Nullable ReadNode left) {
        LockName name = request.claim().name();
        ReadNode open = latest.get(name);
        if (open != null && open.node().session() == session && open.take(request)) {
            places.put(request.holder(), open);
            return open::list;
        }
        if (!request.claim().queue()) {
            return () -> backend.acquireAlone(request, session);
        }
        ReadNode founded = create(request.claim(), session);
        founded.take(request);
        latest.put(name, founded);
        places.put(request.holder(), founded);
        if (left != null && left.node().session() == session && left.startReplacement()) {
            return () -> founded.createReplacing(left);
        }
        return founded::create;
    }

    private ReadNode create(Claim first, Session session) {
        HolderId holder = new HolderId(first.holder() + "-r" + ++created);
        return new ReadNode(backend.newNode(first.withHolder(holder), session), this, timing);
    }

    /** Closes the node for new readers; the readers that asked get another place. */
    void turnAway(ReadNode node) {
        List<Runnable> next = new ArrayList<>();
        try {
            Session session = backend.session();
            synchronized (this) {
                node.close().forEach(request -> next.add(elsewhere(request, node, session)));
            }
        } catch (RuntimeException | Error failure) {
            synchronized (this) {
                for (ReadRequest request : node.close()) {
                    forget(request.holder(), node);
                    next.add(() -> request.failed(failure));
                }
            }
        }
        next.forEach(Runnable::run);
    }

    private synchronized Runnable elsewhere(ReadRequest request, ReadNode from, Session session) {
        forget(request.holder(), from);
        try {
            Runnable next = enter(request, session, from);
            return () -> runFor(request, next);
        } catch (RuntimeException | Error failure) {
            return () -> request.failed(failure);
        }
    }

    private static void runFor(ReadRequest request, Runnable next) {
        try {
            next.run();
        } catch (RuntimeException | Error failure) {
            request.failed(failure);
        }
    }

    /** Releases a reader that leaves or gives up; null if it has no place here. May be repeated after a failure. */
    @Nullable
    public CompletableFuture<Released> release(HolderId holder) {
        ReadNode place;
        ReadNode.Departure departure;
        synchronized (this) {
            place = places.get(holder);
            if (place == null) {
                return null;
            }
            departure = place.depart(holder);
        }
        return place.released(departure);
    }

    public synchronized boolean hasPlace(HolderId holder) {
        return places.containsKey(holder);
    }

    /** Returns the node with which a reader reads or waits; null without a node. */
    public synchronized @Nullable LockNode nodeOf(HolderId holder) {
        ReadNode place = places.get(holder);
        return place != null && place.hasJoined(holder) ? place.node() : null;
    }

    synchronized void forget(HolderId holder, ReadNode node) {
        places.remove(holder, node);
    }

    /** Forgets a node that is closed for new readers. */
    synchronized void closed(ReadNode node) {
        latest.remove(node.node().folder().lock(), node);
    }

    /** Returns true if there is no reader, waiting reader, or node to join. */
    public synchronized boolean isEmpty() {
        return latest.isEmpty() && places.isEmpty();
    }

    public CompletableFuture<Released> remove(LockNode node) {
        return backend.remove(node);
    }
}
