package io.hasp.memory;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server keeps of one name: who holds how much of it, and who waits. All times are in nanoseconds of the server's clock,
 * and each caller has purged first. Not thread-safe.
 */
final class MemoryLock {
    /** The proof of a holder, and when it ends by itself. */
    private static final class Held {
        final Grant grant;
        final SignalListener signals;
        int weight;
        long endsAt;
        boolean recallable;
        /** Nobody has it: the lock only stays taken. */
        boolean retained;

        Held(Grant grant, long endsAt, SignalListener signals, boolean recallable) {
            this.grant = grant;
            this.signals = signals;
            this.weight = grant.claim().share().weight();
            this.endsAt = endsAt;
            this.recallable = recallable;
        }
    }

    private record Waiter(Claim claim, SignalListener signals, long seenAt) {}

    final int capacity;
    private final Map<HolderId, Held> holders = new LinkedHashMap<>();
    private final Map<HolderId, Waiter> waiters = new LinkedHashMap<>();

    MemoryLock(int capacity) {
        this.capacity = capacity;
    }

    /** Forgets the holders whose time is over, and the waiters that did not ask since a moment: also one that would not fit. */
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

    /** A holder has less from now on, or keeps nothing; it never gets more, since a late renewal may ask for what it had. */
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

    /** Tells the holders that may keep their grants that another one wants the lock; tells whether there are any. */
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
        waiters.put(claim.holder(), new Waiter(claim, signals, now));
    }

    /**
     * Whether a waiter fits together with all who wait before it. So nobody passes one that does not fit, and those that enter together
     * need not ask in their order.
     */
    boolean entitled(HolderId holder) {
        return firstThatFit().stream()
                .anyMatch(waiter -> waiter.claim().holder().equals(holder));
    }

    /** Others that wait already want the lock: such a grant is not to be kept, and nobody has to say so. */
    void grant(Grant grant, long endsAt, SignalListener signals) {
        HolderId holder = grant.claim().holder();
        waiters.remove(holder);
        boolean recallable = grant.claim().keeps() && waiters.isEmpty();
        holders.put(holder, new Held(grant, endsAt, signals, recallable));
    }

    /** Ends what a holder has, and wakes those who fit now; tells whether it held anything. */
    boolean release(HolderId holder) {
        boolean waited = waiters.remove(holder) != null;
        Held mine = holders.get(holder);
        boolean held = mine != null && !mine.retained && holders.remove(holder) != null;
        if (held || waited || holders.isEmpty()) {
            wake();
        }
        return held;
    }

    /** A holder is done, and what it held stays taken until then; tells whether it held anything. */
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

    /** Ends all grants; tells whether there were any. */
    boolean expire() {
        boolean held = !holders.isEmpty();
        holders.clear();
        wake();
        return held;
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
