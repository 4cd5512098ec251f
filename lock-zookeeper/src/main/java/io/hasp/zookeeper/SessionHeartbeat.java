package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.recipe.NodeConfirmation;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionDeadline;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Confirms all nodes, see {@link NodeConfirmation}, then sends the leader a {@code sync}, and repeats both a quarter of the session
 * timeout after each answer. The answers move the session's deadline, see {@link SessionDeadline}, and find nodes that an
 * administrator deleted. Without nodes it only sends the {@code sync}, so that the next holder starts with a known deadline.
 *
 * <p>An application's session is probed more often, also while an answer is late. Otherwise the connection could outlive a stall that leaves
 * too little of the deadline: the application hears from the servers without this library. Thread-safe.
 */
final class SessionHeartbeat {
    private static final Duration PAUSE_WITHOUT_CONNECTION = Duration.ofSeconds(1);

    private final Timing timing;
    private final Supplier<Session> current;
    private final Collection<LockNode> nodes;
    private final boolean lent;

    private boolean closed;
    private boolean beating;
    private boolean beatAgain;
    private long beats;
    private CompletableFuture<Void> nextConfirmation = new CompletableFuture<>();
    private Timing.@Nullable Timer next;
    private Timing.@Nullable Timer nextProbe;

    /**
     * Begins with the first {@link #beatNow}.
     *
     * @param nodes the backend's nodes at any time
     * @param lent whether an application uses the session, too
     */
    SessionHeartbeat(Timing timing, Supplier<Session> current, Collection<LockNode> nodes, boolean lent) {
        this.timing = timing;
        this.current = current;
        this.nodes = nodes;
        this.lent = lent;
    }

    /** Starts a beat as soon as possible, and goes on from there. */
    synchronized void beatNow() {
        if (lent && nextProbe == null) {
            scheduleProbe(PAUSE_WITHOUT_CONNECTION);
        }
        if (beating) {
            beatAgain = true;
        } else {
            schedule(Duration.ZERO);
        }
    }

    /**
     * Confirms all nodes by a beat that begins after this call; calls during a beat have the next one in common. Fails with a {@link
     * BackendFailure} if there is no connection.
     */
    CompletableFuture<Void> confirm() {
        CompletableFuture<Void> confirmation;
        synchronized (this) {
            confirmation = nextConfirmation;
        }
        beatNow();
        return confirmation;
    }

    private synchronized void schedule(Duration pause) {
        if (next != null) {
            next.cancel();
        }
        next = closed ? null : timing.schedule(pause, this::beat);
    }

    private synchronized void scheduleProbe(Duration pause) {
        if (nextProbe != null) {
            nextProbe.cancel();
        }
        nextProbe = closed ? null : timing.schedule(pause, this::probe);
    }

    private void probe() {
        Duration pause = PAUSE_WITHOUT_CONNECTION;
        try {
            Session session = current.get();
            pause = SessionDeadline.frequentProbeInterval(session.timeout());
            session.probe();
        } catch (BackendFailure notConnected) {
            // As beat() does.
        } finally {
            scheduleProbe(pause);
        }
    }

    synchronized void close() {
        closed = true;
        schedule(Duration.ZERO);
        scheduleProbe(Duration.ZERO);
    }

    private void beat() {
        CompletableFuture<Void> confirmation;
        synchronized (this) {
            if (closed || beating) {
                return;
            }
            beating = true;
            confirmation = nextConfirmation;
            nextConfirmation = new CompletableFuture<>();
        }
        boolean asked = false;
        try {
            Session session = current.get();
            CompletableFuture<Void> confirmed = confirm(session);
            CompletableFutures.forward(confirmed, confirmation);
            confirmed
                    .thenCompose(done -> session.heartbeat())
                    .whenComplete((code, failure) -> ended(SessionDeadline.probeInterval(session.timeout())));
            asked = true;
        } catch (BackendFailure notConnected) {
            // Without a connection the deadline stays where it is.
            confirmation.completeExceptionally(notConnected);
        } finally {
            if (!asked) {
                ended(PAUSE_WITHOUT_CONNECTION);
            }
        }
    }

    private synchronized void ended(Duration pause) {
        beating = false;
        schedule(beatAgain ? Duration.ZERO : pause);
        beatAgain = false;
    }

    private CompletableFuture<Void> confirm(Session session) {
        List<LockNode> active = nodes.stream()
                .filter(node -> node.session() == session && node.active())
                .toList();
        return active.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : NodeConfirmation.of(active, session, nextBeat(), timing.nanoTime());
    }

    private synchronized long nextBeat() {
        return beats++;
    }
}
