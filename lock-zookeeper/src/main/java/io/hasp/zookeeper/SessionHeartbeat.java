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
 * Asks a quorum whether all nodes still exist, then sends the leader a {@code sync}, and repeats both a quarter of the session
 * timeout after each answer. The answers move the session's deadline, see {@link SessionDeadline}, and find nodes that an
 * administrator deleted. Without nodes it only sends the {@code sync}, so that the next holder starts with a known deadline.
 * Thread-safe.
 */
final class SessionHeartbeat {
    private static final Duration PAUSE_WITHOUT_CONNECTION = Duration.ofSeconds(1);

    private final Timing timing;
    private final Supplier<Session> current;
    private final Collection<LockNode> nodes;

    private boolean closed;
    private boolean beating;
    private boolean beatAgain;
    private Timing.@Nullable Timer next;

    SessionHeartbeat(Timing timing, Supplier<Session> current, Collection<LockNode> nodes) {
        this.timing = timing;
        this.current = current;
        this.nodes = nodes;
    }

    /** Starts a beat as soon as possible, and goes on from there. */
    synchronized void beatNow() {
        if (beating) {
            beatAgain = true;
        } else {
            schedule(Duration.ZERO);
        }
    }

    private synchronized void schedule(Duration pause) {
        if (next != null) {
            next.cancel();
        }
        next = closed ? null : timing.schedule(pause, this::beat);
    }

    synchronized void close() {
        closed = true;
        schedule(Duration.ZERO);
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
                    .thenCompose(checked -> session.heartbeat())
                    .whenComplete((code, failure) -> ended(SessionDeadline.probeInterval(session.timeout())));
            asked = true;
        } catch (BackendFailure notConnected) {
            // Without a connection the deadline stays where it is.
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

    private CompletableFuture<Void> check(Session session) {
        List<LockNode> active = nodes.stream()
                .filter(node -> node.session() == session && node.active())
                .toList();
        List<String> paths = active.stream().map(LockNode::path).toList();
        return session.check(paths).thenAccept(codes -> {
            for (int i = 0; i < codes.size(); i++) {
                if (codes.get(i) == Code.NONODE) {
                    active.get(i).vanished(paths.get(i));
                }
            }
        });
    }
}
