package io.hasp.zookeeper;

import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The nodes that the readers of this client share, see {@link ReadNode}: for each name the latest, and those that others still use. Thread-safe. */
final class ReadNodes {
    /** What the backend does for readers. */
    interface Backend {
        /** The session that creates nodes; throws a {@link io.hasp.spi.BackendFailure} if there is none. */
        Session session();

        /** A new node, which the backend keeps until it is removed. */
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
    private final Map<HolderId, ReadNode> nodes = new ConcurrentHashMap<>();
    private final AtomicLong created = new AtomicLong();

    ReadNodes(Backend backend, Timing timing) {
        this.backend = backend;
        this.timing = timing;
    }

    /** Answers a call for reading: from a node that others of this client use, or from a new one. */
    void acquire(ReadRequest request, Session session) {
        ReadNode own = nodes.get(request.holder());
        if (own != null) {
            own.again(request);
        } else {
            acquire(List.of(request), session);
        }
    }

    /** Requests that a node turned away. */
    void acquireElsewhere(List<ReadRequest> requests) {
        try {
            acquire(requests, backend.session());
        } catch (RuntimeException | Error failure) {
            requests.forEach(request -> request.answer().completeExceptionally(failure));
        }
    }

    private void acquire(List<ReadRequest> requests, Session session) {
        List<ReadRequest> founders = new ArrayList<>();
        for (ReadRequest request : requests) {
            if (!request.claim().queue()) {
                offerOrAlone(request, session);
            } else {
                founders.add(request);
            }
        }
        if (!founders.isEmpty()) {
            offerOrFound(founders, session);
        }
    }

    private void offerOrAlone(ReadRequest request, Session session) {
        ReadNode open = latest(request.claim().name(), session);
        if (open == null || !offered(open, request)) {
            backend.acquireAlone(request, session);
        }
    }

    /** Several founders called before their node is created, so they need no listing of their own. */
    private void offerOrFound(List<ReadRequest> requests, Session session) {
        List<ReadRequest> left = requests;
        ReadNode founded = null;
        while (!left.isEmpty() && founded == null) {
            ReadNode open;
            LockName name = left.get(0).claim().name();
            synchronized (latest) {
                open = latest(name, session);
                if (open == null) {
                    founded = create(left.get(0).claim(), session);
                    latest.put(name, founded);
                }
            }
            if (open != null) {
                left = left.stream().filter(request -> !offered(open, request)).toList();
            }
        }
        if (founded != null) {
            for (ReadRequest founder : left) {
                nodes.put(founder.holder(), founded);
            }
            founded.found(left);
        }
    }

    private boolean offered(ReadNode open, ReadRequest request) {
        nodes.put(request.holder(), open);
        if (open.offer(request)) {
            return true;
        }
        forget(request.holder(), open);
        return false;
    }

    private @Nullable ReadNode latest(LockName name, Session session) {
        synchronized (latest) {
            ReadNode open = latest.get(name);
            return open != null && open.node().session() == session && open.open() ? open : null;
        }
    }

    private ReadNode create(Claim first, Session session) {
        HolderId holder = new HolderId(first.holder() + "-r" + created.incrementAndGet());
        return new ReadNode(backend.newNode(first.withHolder(holder), session), this, timing);
    }

    /** The node with which a holder reads, or waits to read; null if there is none. */
    @Nullable
    ReadNode of(HolderId holder) {
        return nodes.get(holder);
    }

    void forget(HolderId holder, ReadNode node) {
        nodes.remove(holder, node);
    }

    /** Nobody joins this node any more. */
    void closed(ReadNode node) {
        synchronized (latest) {
            latest.remove(node.node().folder().lock(), node);
        }
    }

    /** Whether nobody reads, waits to read, or could join. */
    boolean isEmpty() {
        synchronized (latest) {
            return latest.isEmpty() && nodes.isEmpty();
        }
    }

    CompletableFuture<Released> remove(LockNode node) {
        return backend.remove(node);
    }

    boolean wasWithdrawn(HolderId holder) {
        return backend.wasWithdrawn(holder);
    }
}
