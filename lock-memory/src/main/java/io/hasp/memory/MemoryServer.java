package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server side of the in-memory backend, in place of Redis or ZooKeeper. Each client connects with a {@link #link}
 * of its own. Thread-safe.
 *
 * <p>A free lock goes to the first waiter that polled recently, so a dead waiter delays the others by one poll at most.
 * Tokens come from one counter for all names, so that the server stores nothing for an unused name except a raised
 * token floor.
 */
public final class MemoryServer {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration FIRST_TRY = Duration.ofMillis(1);
    private static final long SEEN_LATELY = 3 * POLL.toNanos();

    private final Timing timing;
    private final long origin;
    private final Map<LockName, MemoryLock> locks = new HashMap<>();
    private long lastToken;
    /** For each name with a raised token floor: that floor, or the last token above it. */
    private final Map<LockName, Long> tokenFloors = new HashMap<>();

    /**
     * Creates an empty server.
     *
     * @param timing the clock for leases; a virtual clock must be the one of the clients
     */
    public MemoryServer(Timing timing) {
        this.timing = timing;
        this.origin = timing.nanoTime();
    }

    /**
     * Connects one client: {@code LockClient.over(server.link(), options)}.
     *
     * @return a new link without faults
     */
    public MemoryLink link() {
        return new MemoryLink(this);
    }

    /**
     * Ends the grant of a lock, as the end of its lease or a deletion by an administrator would. Thread-safe.
     *
     * @param name the lock
     * @return true if the lock was held
     */
    public synchronized boolean expire(String name) {
        LockName key = new LockName(name);
        MemoryLock lock = purged(key);
        boolean held = lock != null && lock.expire();
        forget(key);
        return held;
    }

    /**
     * Returns the number of names with an entry: zero if no lock has a holder or a waiter.
     *
     * @return the number of entries
     */
    public synchronized int size() {
        return locks.size();
    }

    /** Returns the number of holders and waiters of a lock. */
    synchronized int present(String name) {
        MemoryLock lock = purged(new LockName(name));
        return lock == null ? 0 : lock.holdersAndWaiters();
    }

    synchronized Attempt acquire(Claim claim, SignalListener signals) {
        int capacity = claim.share().capacity();
        MemoryLock lock = purged(claim.name());
        if (lock == null) {
            lock = new MemoryLock(capacity);
            locks.put(claim.name(), lock);
        } else if (lock.capacity != capacity) {
            throw otherKind(claim, lock.capacity);
        }
        long now = timing.nanoTime();
        long endsAt = now + claim.lease().toNanos();
        Grant held = lock.confirmed(claim.holder(), endsAt);
        if (held != null) {
            return new Attempt.Granted(held, lock.recallable(claim.holder()));
        }
        lock.enter(claim, signals, now);
        if (lock.entitled(claim.holder())) {
            Grant grant = Grant.of(claim, nextToken(claim.name()), claim.lease());
            lock.grant(grant, now, endsAt, signals);
            return new Attempt.Granted(grant, lock.recallable(claim.holder()));
        }
        lock.wake();
        boolean recalled = lock.recall();
        if (!claim.queue()) {
            lock.leave(claim.holder());
        }
        return new Attempt.Busy(recalled && !claim.queue() ? FIRST_TRY : POLL, recalled);
    }

    private static BackendFailure otherKind(Claim claim, int present) {
        return new BackendFailure(
                BackendFailure.Kind.OTHER_KIND,
                BackendFailure.Outcome.NOT_APPLIED,
                "it is " + Share.kindOf(present) + " at present, not "
                        + claim.share().kind(),
                null);
    }

    synchronized Renewal renew(Grant grant) {
        Claim claim = grant.claim();
        MemoryLock lock = purged(claim.name());
        if (lock == null
                || lock.confirmed(
                                claim.holder(),
                                timing.nanoTime() + claim.lease().toNanos())
                        == null) {
            return new Renewal.Lost("the lease has run out or was ended");
        }
        lock.lower(claim);
        return new Renewal.Renewed(claim.lease());
    }

    synchronized Released retain(Claim claim) {
        MemoryLock lock = purged(claim.name());
        boolean held = lock != null
                && lock.retain(claim.holder(), timing.nanoTime() + claim.lease().toNanos());
        return held ? Released.RELEASED : Released.NOT_HELD;
    }

    synchronized Released release(Claim claim) {
        MemoryLock lock = purged(claim.name());
        boolean held = lock != null && lock.release(claim.holder());
        forget(claim.name());
        return held ? Released.RELEASED : Released.NOT_HELD;
    }

    /** Returns the locks after the cursor, which is the name of the last lock before them. */
    synchronized Inspector.Page list(String prefix, String cursor) {
        List<String> names = locks.keySet().stream()
                .map(LockName::value)
                .filter(name -> name.startsWith(prefix) && name.compareTo(cursor) > 0)
                .sorted()
                .limit(Inspector.MOST_ON_A_PAGE)
                .toList();
        boolean last = names.size() < Inspector.MOST_ON_A_PAGE;
        return new Inspector.Page(
                names.stream()
                        .flatMap(name -> find(new LockName(name)).stream())
                        .toList(),
                last ? "" : names.get(names.size() - 1));
    }

    synchronized Optional<Inspector.Content> find(LockName name) {
        MemoryLock lock = purged(name);
        return lock == null ? Optional.empty() : Optional.of(lock.content(name, timing.nanoTime(), this::moment));
    }

    private Instant moment(long nanos) {
        return Instant.EPOCH.plusNanos(nanos - origin);
    }

    /** Ends a grant for an operator. Its client learns it by its next renewal, as from {@link #expire}. */
    synchronized boolean remove(LockName name, Inspector.Holder holder) {
        MemoryLock lock = purged(name);
        boolean held = lock != null && lock.remove(holder.id(), holder.token());
        forget(name);
        return held;
    }

    /** Returns the state of a name, without expired entries; null if nothing is left. */
    private @Nullable MemoryLock purged(LockName name) {
        MemoryLock lock = locks.get(name);
        if (lock != null) {
            long now = timing.nanoTime();
            lock.purge(now, now - SEEN_LATELY);
        }
        return forget(name) ? null : lock;
    }

    /** Removes a name that is not in use. */
    private boolean forget(LockName name) {
        MemoryLock lock = locks.get(name);
        return lock != null && lock.isEmpty() && locks.remove(name) != null;
    }

    private long nextToken(LockName name) {
        lastToken++;
        Long raised = tokenFloors.computeIfPresent(name, (raisedName, floor) -> Math.max(floor + 1, lastToken));
        return raised == null ? lastToken : raised;
    }

    /**
     * Raises the floor of this name only: a raised counter would use up the tokens of the other names. Raises nothing
     * while a client may keep a grant: the client is notified, and the caller has to retry.
     */
    synchronized boolean raiseTokenFloor(LockName name, long floor) {
        MemoryLock lock = purged(name);
        if (lock != null && lock.recall()) {
            return false;
        }
        if (floor > lastToken) {
            tokenFloors.merge(name, floor, Math::max);
        }
        return true;
    }
}
