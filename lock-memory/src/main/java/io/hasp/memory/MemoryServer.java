package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server side of the in-memory backend: what Redis or ZooKeeper would keep. Each client connects with a {@link #link} of
 * its own. Thread-safe.
 *
 * <p>A free lock goes to the first waiter that polled lately, so a dead waiter delays the others by one poll at most. Tokens
 * come from one counter for all names, so that a name leaves nothing behind but a raised token floor.
 */
public final class MemoryServer {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long SEEN_LATELY = 3 * POLL.toNanos();

    private static final class Entry {
        @Nullable
        Grant grant;

        long expiresAt;
        final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    }

    private record Waiter(HolderId holder, SignalListener signals, long seenAt) {}

    private final Timing timing;
    private final Map<LockName, Entry> locks = new HashMap<>();
    private long lastToken;
    /** For each name with a raised token floor: that floor, or the last token above it. */
    private final Map<LockName, Long> tokenFloors = new HashMap<>();

    /**
     * An empty server.
     *
     * @param timing the clock that leases are measured with; the same as the clients' if it is virtual
     */
    public MemoryServer(Timing timing) {
        this.timing = timing;
    }

    /**
     * A connection for one client: {@code LockClient.over(server.link(), options)}.
     *
     * @return a new link, whole until it is partitioned
     */
    public MemoryLink link() {
        return new MemoryLink(this);
    }

    /**
     * Ends the grant of a lock, as if its lease had run out or an administrator had deleted it.
     *
     * @param name the lock
     * @return whether somebody held it
     */
    public synchronized boolean expire(String name) {
        Entry entry = locks.get(new LockName(name));
        if (entry == null || live(entry) == null) {
            return false;
        }
        free(new LockName(name), entry);
        return true;
    }

    /**
     * The number of names with an entry: zero when no lock has a holder or a waiter.
     *
     * @return the number of entries
     */
    public synchronized int size() {
        return locks.size();
    }

    /** How many holders and waiters a lock has. */
    synchronized int present(String name) {
        Entry entry = locks.get(new LockName(name));
        return entry == null ? 0 : entry.waiters.size() + (live(entry) == null ? 0 : 1);
    }

    synchronized Attempt acquire(Claim claim, SignalListener signals) {
        Entry entry = locks.computeIfAbsent(claim.name(), name -> new Entry());
        Grant held = live(entry);
        if (held != null && held.claim().holder().equals(claim.holder())) {
            entry.expiresAt = Math.max(
                    entry.expiresAt, timing.nanoTime() + held.claim().lease().toNanos());
            return new Attempt.Granted(held);
        }
        long now = timing.nanoTime();
        enter(entry, new Waiter(claim.holder(), signals, now));
        Waiter first = firstAlive(entry, now);
        if (held == null && first.holder().equals(claim.holder())) {
            entry.waiters.removeFirst();
            Grant grant = Grant.of(claim, nextToken(claim.name()), claim.lease());
            entry.grant = grant;
            entry.expiresAt = timing.nanoTime() + claim.lease().toNanos();
            return new Attempt.Granted(grant);
        }
        if (held == null) {
            first.signals().onSignal(Signal.MAYBE_FREE);
        }
        if (!claim.queue()) {
            entry.waiters.removeIf(waiter -> waiter.holder().equals(claim.holder()));
        }
        return new Attempt.Busy(POLL);
    }

    /** Appends a waiter; one that is queued already keeps its position. */
    private static void enter(Entry entry, Waiter seen) {
        ArrayDeque<Waiter> kept = new ArrayDeque<>();
        boolean present = false;
        for (Waiter waiter : entry.waiters) {
            boolean same = waiter.holder().equals(seen.holder());
            present |= same;
            kept.add(same ? seen : waiter);
        }
        if (!present) {
            kept.add(seen);
        }
        entry.waiters.clear();
        entry.waiters.addAll(kept);
    }

    /** There is always one: the waiter that polls at this moment. */
    private static Waiter firstAlive(Entry entry, long now) {
        while (now - entry.waiters.getFirst().seenAt() > SEEN_LATELY) {
            entry.waiters.removeFirst();
        }
        return entry.waiters.getFirst();
    }

    synchronized Renewal renew(Grant grant) {
        Entry entry = locks.get(grant.claim().name());
        Grant held = entry == null ? null : live(entry);
        if (entry == null
                || held == null
                || !held.claim().holder().equals(grant.claim().holder())) {
            return new Renewal.Lost("the lease has run out or was ended");
        }
        Duration lease = grant.claim().lease();
        entry.expiresAt = Math.max(entry.expiresAt, timing.nanoTime() + lease.toNanos());
        return new Renewal.Renewed(lease);
    }

    synchronized Released release(Claim claim) {
        LockName name = claim.name();
        HolderId holder = claim.holder();
        Entry entry = locks.get(name);
        if (entry == null) {
            return Released.NOT_HELD;
        }
        entry.waiters.removeIf(waiter -> waiter.holder().equals(holder));
        Grant held = live(entry);
        boolean owner = held != null && held.claim().holder().equals(holder);
        if (owner || held == null) {
            free(name, entry);
        }
        return owner ? Released.RELEASED : Released.NOT_HELD;
    }

    private long nextToken(LockName name) {
        lastToken++;
        Long raised = tokenFloors.computeIfPresent(name, (raisedName, floor) -> Math.max(floor + 1, lastToken));
        return raised == null ? lastToken : raised;
    }

    /** Raises the floor of this name only: a raised counter would use up the tokens of the other names. */
    synchronized void raiseTokenFloor(LockName name, long floor) {
        if (floor > lastToken) {
            tokenFloors.merge(name, floor, Math::max);
        }
    }

    private @Nullable Grant live(Entry entry) {
        return entry.grant != null && timing.nanoTime() - entry.expiresAt < 0 ? entry.grant : null;
    }

    private void free(LockName name, Entry entry) {
        entry.grant = null;
        if (entry.waiters.isEmpty()) {
            locks.remove(name);
        } else {
            entry.waiters.getFirst().signals().onSignal(Signal.MAYBE_FREE);
        }
    }
}
