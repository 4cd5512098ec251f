package io.hasp.zookeeper.recipe;

import io.hasp.spi.Released;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.session.CompletableFutures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Repeats removals that failed. One timer for all nodes waits for a connection, so that an outage costs the same with one node and with
 * many. A limited number of removals is sent at a time, so that other requests need not wait for all removals. Thread-safe.
 */
public final class RemovalRetries {
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int AT_ONCE = 200;

    private final Timing timing;
    private final BooleanSupplier connected;
    private final Function<LockNode, CompletableFuture<Released>> remove;
    private final Queue<LockNode> waiting = new ArrayDeque<>();
    /** A timer or a round is under way. */
    private boolean active;

    /**
     * Creates an instance without nodes.
     *
     * @param connected whether requests can be sent
     * @param remove adds the node again if it fails
     */
    public RemovalRetries(
            Timing timing, BooleanSupplier connected, Function<LockNode, CompletableFuture<Released>> remove) {
        this.timing = timing;
        this.connected = connected;
        this.remove = remove;
    }

    /** Repeats the removal of this node later. */
    public synchronized void add(LockNode node) {
        waiting.add(node);
        if (!active) {
            schedule(PAUSE);
        }
    }

    private synchronized void schedule(Duration pause) {
        active = !waiting.isEmpty();
        if (active) {
            timing.schedule(pause, this::round);
        }
    }

    private void round() {
        if (!connected.getAsBoolean()) {
            schedule(PAUSE);
            return;
        }
        List<CompletableFuture<Boolean>> removals = new ArrayList<>();
        for (LockNode node : next()) {
            node.removal().retryStarted();
            removals.add(remove.apply(node).handle((released, failure) -> failure == null));
        }
        CompletableFutures.allOf(removals)
                .thenAccept(removed -> schedule(removed.contains(false) ? PAUSE : Duration.ZERO));
    }

    private synchronized List<LockNode> next() {
        List<LockNode> next = new ArrayList<>();
        while (next.size() < AT_ONCE && !waiting.isEmpty()) {
            next.add(waiting.remove());
        }
        return next;
    }
}
