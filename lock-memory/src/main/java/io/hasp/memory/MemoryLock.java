package io.hasp.memory;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The server's state of one lock name: its holders with their shares, and its waiters. All times are in nanoseconds of
 * the server's clock, and each caller purges first. Not thread-safe.
 */
final class MemoryLock {
    /** The proof of a holder, and when it ends by itself. */
    private static final class Held {
        final Grant grant;
        final SignalListener signals;
        final long since;
        int weight;
        long endsAt;
        boolean recallable;
        /** True if the lock stays taken without a holder. */
        boolean retained;

        Held(Grant grant, long since, long endsAt, SignalListener signals, boolean recallable) {
            this.grant = grant;
            this.since = since;
            this.signals = signals;
            this.weight = grant.claim().share().weight();
            this.endsAt = endsAt;
            this.recallable = recallable;
        }

        Inspector.Holder shown(long now, LongFunction<Instant> moments) {
            Claim claim = grant.claim();
            Inspector.State state = retained
                    ? Inspector.State.RETAINED
                    : recallable ? Inspector.State.RECALLABLE : Inspector.State.HELD;
            return new Inspector.Holder(
                    claim.holder(),
                    grant.token(),
                    weight,
                    state,
                    claim.label(),
                    Optional.of(moments.apply(since)),
                    Optional.of(Duration.ofNanos(endsAt - now)));
        }
    }

    private record Waiter(Claim claim, SignalListener signals, long since, long seenAt) {
        Inspector.Waiter shown(LongFunction<Instant> moments) {
            return new Inspector.Waiter(
                    claim.holder(), claim.share().weight(), claim.label(), Optional.of(moments.apply(since)));
        }
    }

    final int capacity;
    private final Map<HolderId, Held> holders = new LinkedHashMap<>();
    private final Map<HolderId, Waiter> waiters = new LinkedHashMap<>();
    private long newestToken;

    MemoryLock(int capacity) {
        this.capacity = capacity;
    }

    /** Removes expired holders, and waiters without a request since a moment, including one that would not fit. */
    void purge(long now, long seenSince) {
        holders.values().removeIf(held -> now - held.endsAt >= 0);
        waiters.values().removeIf(waiter -> waiter.seenAt() - seenSince < 0);
    }

    boolean isEmpty() {
        return holders.isEmpty() && waiters.isEmpty();
    }

    int holdersAndWaiters() {
        return holders.size() + waiters.size();
    }

    /** The grant of a holder, which is good for longer from now on; null if it has none. */
    @Nullable
    Grant confirmed(HolderId holder, long endsAt) {
        Held held = holders.get(holder);
        if (held == null || held.retained) {
            return null;
        }
        held.endsAt = Math.max(held.endsAt, endsAt);
        return held.grant;
    }

    /**
     * Reduces a holder's share, or stops keeping. Never raises the share: a late renewal may request the former one.
     */
    void lower(Claim claim) {
        Held held = holders.get(claim.holder());
        if (held == null) {
            return;
        }
        held.recallable &= claim.keeps();
        if (claim.share().weight() < held.weight) {
            held.weight = claim.share().weight();
            wake();
        }
    }

    boolean recallable(HolderId holder) {
        Held held = holders.get(holder);
        return held != null && held.recallable;
    }

    /**
     * Notifies the holders that may keep their grants that another client wants the lock; returns true if there are
     * any.
     */
    boolean recall() {
        boolean recalled = false;
        for (Held held : holders.values()) {
            if (held.recallable) {
                recalled = true;
                held.signals.onSignal(Signal.WANTED);
            }
        }
        return recalled;
    }

    /** Appends a waiter; one that waits already keeps its place. */
    void enter(Claim claim, SignalListener signals, long now) {
        Waiter before = waiters.get(claim.holder());
        waiters.put(claim.holder(), new Waiter(claim, signals, before == null ? now : before.since(), now));
    }

    /**
     * Returns true if a waiter fits together with all waiters before it. So no waiter passes one that does not fit, and
     * those that enter together need not request in their order.
     */
    boolean entitled(HolderId holder) {
        return firstThatFit().stream()
                .anyMatch(waiter -> waiter.claim().holder().equals(holder));
    }

    /** Grants the lock. If others already wait, the grant's holder must not keep it, and no recall is needed. */
    void grant(Grant grant, long now, long endsAt, SignalListener signals) {
        HolderId holder = grant.claim().holder();
        waiters.remove(holder);
        boolean recallable = grant.claim().keeps() && waiters.isEmpty();
        holders.put(holder, new Held(grant, now, endsAt, signals, recallable));
        newestToken = grant.token();
    }

    /** Removes a holder, and wakes the waiters that fit now; returns true if it held anything. */
    boolean release(HolderId holder) {
        boolean waited = waiters.remove(holder) != null;
        Held mine = holders.get(holder);
        boolean held = mine != null && !mine.retained && holders.remove(holder) != null;
        if (held || waited || holders.isEmpty()) {
            wake();
        }
        return held;
    }

    /** Removes a holder, whose share stays taken until a moment; returns true if it held anything. */
    boolean retain(HolderId holder, long endsAt) {
        Held held = holders.get(holder);
        if (held == null || held.retained) {
            return false;
        }
        held.retained = true;
        held.recallable = false;
        held.endsAt = endsAt;
        return true;
    }

    /** Ends all grants; returns true if there were any. */
    boolean expire() {
        boolean held = !holders.isEmpty();
        holders.clear();
        wake();
        return held;
    }

    /** Ends the grant of a holder with this token, kept for it or not, and wakes the waiters that fit now. */
    boolean remove(HolderId holder, long token) {
        Held held = holders.get(holder);
        if (held == null || held.grant.token() != token) {
            return false;
        }
        holders.remove(holder);
        wake();
        return true;
    }

    Inspector.Content content(LockName name, long now, LongFunction<Instant> moments) {
        return new Inspector.Content(
                name,
                capacity,
                holders.values().stream().map(held -> held.shown(now, moments)).toList(),
                waiters.values().stream()
                        .limit(Inspector.MOST_WAITERS)
                        .map(waiter -> waiter.shown(moments))
                        .toList(),
                waiters.size(),
                newestToken,
                moments.apply(now),
                List.of());
    }

    void leave(HolderId holder) {
        waiters.remove(holder);
    }

    void wake() {
        firstThatFit().forEach(waiter -> waiter.signals().onSignal(Signal.MAYBE_FREE));
    }

    private List<Waiter> firstThatFit() {
        int free = capacity;
        for (Held held : holders.values()) {
            free -= held.weight;
        }
        List<Waiter> fitting = new ArrayList<>();
        Iterator<Waiter> next = waiters.values().iterator();
        while (free > 0 && next.hasNext()) {
            Waiter waiter = next.next();
            free -= waiter.claim().share().weight();
            if (free >= 0) {
                fitting.add(waiter);
            }
        }
        return fitting;
    }
}
