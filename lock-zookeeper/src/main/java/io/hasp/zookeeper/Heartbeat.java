package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Asks a quorum whether the nodes of all places are still there, and then the leader for a sign of life, again a quarter of the
 * session timeout after each answer. The answers move the session's deadline, see {@link Confirmations}, and find what an
 * administrator deleted. Without any place there is only the sign of life: whoever comes next knows then how long the session
 * is good for. Thread-safe.
 */
final class Heartbeat {
    private static final Duration PAUSE_WITHOUT_CONNECTION = Duration.ofSeconds(1);

    private final Timing timing;
    private final Supplier<Session> current;
    private final Collection<Place> places;

    private boolean closed;
    private boolean beating;
    private boolean hurried;
    private Timing.@Nullable Timer next;

    Heartbeat(Timing timing, Supplier<Session> current, Collection<Place> places) {
        this.timing = timing;
        this.current = current;
        this.places = places;
    }

    /** Beats as soon as possible, and from then on. */
    synchronized void now() {
        if (beating) {
            hurried = true;
        } else {
            after(Duration.ZERO);
        }
    }

    private synchronized void after(Duration pause) {
        if (next != null) {
            next.cancel();
        }
        next = closed ? null : timing.schedule(pause, this::beat);
    }

    synchronized void close() {
        closed = true;
        after(Duration.ZERO);
    }

    private void beat() {
        synchronized (this) {
            if (closed || beating) {
                return;
            }
            beating = true;
        }
        boolean asked = false;
        try {
            Session session = current.get();
            check(session)
                    .thenCompose(checked -> session.signOfLife())
                    .whenComplete((code, failure) -> over(Confirmations.spacing(session.timeout())));
            asked = true;
        } catch (BackendFailure notConnected) {
            // Nothing to ask and nobody to tell: the deadline stands still.
        } finally {
            if (!asked) {
                over(PAUSE_WITHOUT_CONNECTION);
            }
        }
    }

    private synchronized void over(Duration pause) {
        beating = false;
        after(hurried ? Duration.ZERO : pause);
        hurried = false;
    }

    private CompletableFuture<Void> check(Session session) {
        List<Place> settled = places.stream()
                .filter(place -> place.session() == session && place.settled())
                .toList();
        return session.check(settled.stream().map(Place::node).toList()).thenAccept(codes -> {
            for (int i = 0; i < codes.size(); i++) {
                if (codes.get(i) == Code.NONODE) {
                    settled.get(i).vanished();
                }
            }
        });
    }
}
