package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Asks a quorum, every quarter of the session timeout and as long as there is any place, whether the nodes of all places are
 * still there. The answers move the session's deadline (see {@link Confirmations}) and find what an administrator deleted.
 * Thread-safe.
 */
final class Heartbeat {
    private final Timing timing;
    private final Supplier<Session> current;
    private final Collection<Place> places;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;

    Heartbeat(Timing timing, Supplier<Session> current, Collection<Place> places) {
        this.timing = timing;
        this.current = current;
        this.places = places;
    }

    /** Call after a place was added. */
    void start(Session session) {
        if (running.compareAndSet(false, true)) {
            next(session);
        }
    }

    void close() {
        closed = true;
    }

    private void next(Session session) {
        timing.schedule(Confirmations.spacing(session.timeout()), () -> beat(session));
    }

    private void beat(Session before) {
        if (closed) {
            return;
        }
        if (places.isEmpty()) {
            running.set(false);
            if (!places.isEmpty()) {
                start(before);
            }
            return;
        }
        Session session = before;
        try {
            session = current.get();
            check(session);
        } catch (BackendFailure notConnected) {
            // Nothing to ask and nobody to tell: the deadline stands still.
        }
        next(session);
    }

    private void check(Session session) {
        List<Place> settled = places.stream()
                .filter(place -> place.session() == session && place.settled())
                .toList();
        if (settled.isEmpty()) {
            return;
        }
        session.check(settled.stream().map(Place::node).toList()).thenAccept(codes -> {
            for (int i = 0; i < codes.size(); i++) {
                if (codes.get(i) == Code.NONODE) {
                    settled.get(i).vanished();
                }
            }
        });
    }
}
