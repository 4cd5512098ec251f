package io.hasp.conformance.rules.support;

import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;

/** Counts the events of clients that keep locks. Thread-safe. */
public final class KeepEvents implements LockListener {
    /** The counted events. */
    public enum Kind {
        /** A lock stayed with its client after its release. */
        KEPT,
        /** A lease began on a grant that its client had already. */
        REUSED,
        /** Another client wanted a lock that was kept and not in use. */
        RECALLED_IDLE,
        /** Another client wanted a lock in use. */
        RECALLED_IN_USE
    }

    private final Map<String, Map<Kind, Integer>> counts = new HashMap<>();

    @Override
    public void onEvent(LockEvent event) {
        if (event instanceof LockEvent.Kept kept) {
            count(kept.lock(), Kind.KEPT);
        } else if (event instanceof LockEvent.HandedOff reused) {
            count(reused.lock(), Kind.REUSED);
        } else if (event instanceof LockEvent.Recalled recalled) {
            count(recalled.lock(), recalled.inUse() ? Kind.RECALLED_IN_USE : Kind.RECALLED_IDLE);
        }
    }

    private synchronized void count(String lock, Kind kind) {
        counts.computeIfAbsent(lock, name -> new EnumMap<>(Kind.class)).merge(kind, 1, Integer::sum);
    }

    /** Returns the number of such events of a lock. */
    public synchronized int of(String lock, Kind kind) {
        return counts.getOrDefault(lock, Map.of()).getOrDefault(kind, 0);
    }

    /** Waits until it has happened more often than a number of times: events come a moment later. */
    public boolean awaitMore(String lock, Kind kind, int before, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(limit.plus(Timings.tolerance()))
                .until(() -> of(lock, kind) > before || System.nanoTime() - end > 0);
        return of(lock, kind) > before;
    }
}
