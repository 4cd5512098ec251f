package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A small server of shared locks that keeps all their rules, except for its configured flaw. It counts the taken
 * shares, as the scripts on Redis do. Thread-safe.
 */
final class BrokenSharedServer {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long SEEN_LATELY = 3 * POLL.toNanos();

    private static final class Held {
        final Grant grant;
        int weight;
        long endsAt;

        Held(Grant grant, int weight, long endsAt) {
            this.grant = grant;
            this.weight = weight;
            this.endsAt = endsAt;
        }
    }

    private record Waiter(Claim claim, SignalListener signals, long seenAt) {}

    private static final class Lock {
        final int capacity;
        final Map<HolderId, Held> holders = new LinkedHashMap<>();
        final Map<HolderId, Waiter> waiters = new LinkedHashMap<>();
        int used;

        Lock(int capacity) {
            this.capacity = capacity;
        }
    }

    private final Set<SharedFlaw> flaws = EnumSet.noneOf(SharedFlaw.class);
    private final Map<LockName, Lock> locks = new HashMap<>();
    private final Map<Integer, Long> tokens = new HashMap<>();

    BrokenSharedServer(SharedFlaw... flaws) {
        this.flaws.addAll(List.of(flaws));
    }

    private boolean has(SharedFlaw flaw) {
        return flaws.contains(flaw);
    }

    synchronized int present(String name) {
        Lock lock = locks.get(new LockName(name));
        if (lock == null) {
            return 0;
        }
        purge(lock);
        return lock.holders.size() + lock.waiters.size();
    }

    synchronized Attempt acquire(Claim claim, SignalListener signals) {
        int capacity = claim.share().capacity();
        Lock lock = locks.computeIfAbsent(claim.name(), name -> new Lock(capacity));
        purge(lock);
        if (lock.holders.isEmpty() && lock.waiters.isEmpty() && lock.capacity != capacity) {
            lock = new Lock(capacity);
            locks.put(claim.name(), lock);
        }
        if (lock.capacity != capacity && !has(SharedFlaw.KINDS_MIXED)) {
            throw new BackendFailure(
                    BackendFailure.Kind.OTHER_KIND, BackendFailure.Outcome.NOT_APPLIED, "of another kind", null);
        }
        Held held = lock.holders.get(claim.holder());
        if (held != null) {
            held.endsAt = Math.max(held.endsAt, endOf(claim));
            return new Attempt.Granted(held.grant);
        }
        boolean newcomer = !lock.waiters.containsKey(claim.holder());
        lock.waiters.put(claim.holder(), new Waiter(claim, signals, System.nanoTime()));
        boolean passes = has(SharedFlaw.NEWCOMERS_PASS) && newcomer && lock.used + weight(claim) <= capacity;
        if (passes || firstThatFit(lock).contains(lock.waiters.get(claim.holder()))) {
            return new Attempt.Granted(grant(lock, claim));
        }
        wake(lock);
        if (!claim.queue()) {
            lock.waiters.remove(claim.holder());
        }
        return new Attempt.Busy(POLL);
    }

    private Grant grant(Lock lock, Claim claim) {
        long token =
                tokens.merge(has(SharedFlaw.TOKENS_PER_WEIGHT) ? claim.share().weight() : 0, 1L, Long::sum);
        Grant grant = Grant.of(claim, token, claim.lease());
        lock.waiters.remove(claim.holder());
        lock.holders.put(claim.holder(), new Held(grant, weight(claim), endOf(claim)));
        lock.used += weight(claim);
        return grant;
    }

    private static long endOf(Claim claim) {
        return System.nanoTime() + claim.lease().toNanos();
    }

    private int weight(Claim claim) {
        if (has(SharedFlaw.WRITERS_BESIDE_READERS)) {
            return 1;
        }
        return has(SharedFlaw.READERS_EXCLUDE_READERS)
                ? claim.share().capacity()
                : claim.share().weight();
    }

    synchronized Renewal renew(Grant grant) {
        Claim claim = grant.claim();
        Lock lock = locks.get(claim.name());
        if (lock != null) {
            purge(lock);
        }
        Held held = lock == null ? null : lock.holders.get(claim.holder());
        if (lock == null || held == null) {
            return new Renewal.Lost("it has run out");
        }
        boolean part = claim.share().weight() < claim.share().capacity();
        if (!part || !has(SharedFlaw.PARTS_NOT_RENEWED)) {
            held.endsAt = Math.max(held.endsAt, endOf(claim));
        }
        setWeight(lock, claim, held);
        return new Renewal.Renewed(claim.lease());
    }

    private void setWeight(Lock lock, Claim claim, Held held) {
        int asked = weight(claim);
        if (asked == held.weight || has(SharedFlaw.NO_LOWERING)) {
            return;
        }
        if (asked > held.weight && !has(SharedFlaw.RENEWALS_RAISE)) {
            return;
        }
        if (has(SharedFlaw.LOWERING_RELEASES)) {
            lock.holders.remove(claim.holder());
            asked = 0;
        }
        lock.used += asked - held.weight;
        held.weight = asked;
        wake(lock);
    }

    synchronized Released release(Claim claim) {
        Lock lock = locks.get(claim.name());
        if (lock == null) {
            return Released.NOT_HELD;
        }
        purge(lock);
        boolean waited = lock.waiters.remove(claim.holder()) != null;
        Held held = lock.holders.remove(claim.holder());
        if (held != null) {
            lock.used -= held.weight;
        }
        if (held != null || (waited && !has(SharedFlaw.SILENT_WITHDRAWALS))) {
            wake(lock);
        }
        return held == null ? Released.NOT_HELD : Released.RELEASED;
    }

    private void purge(Lock lock) {
        long now = System.nanoTime();
        List<Held> over = lock.holders.values().stream()
                .filter(held -> now - held.endsAt >= 0)
                .toList();
        for (Held held : over) {
            lock.holders.remove(held.grant.claim().holder());
            int back = has(SharedFlaw.PERMITS_OF_THE_DEAD_DOUBLE) ? 2 * held.weight : held.weight;
            lock.used -= has(SharedFlaw.PERMITS_OF_THE_DEAD_VANISH) ? 0 : back;
        }
        lock.waiters.values().removeIf(waiter -> now - waiter.seenAt() > SEEN_LATELY && isAsked(lock, waiter));
    }

    private boolean isAsked(Lock lock, Waiter waiter) {
        return !has(SharedFlaw.DEAD_WAITERS_STAY) || lock.used + weight(waiter.claim()) <= lock.capacity;
    }

    private void wake(Lock lock) {
        firstThatFit(lock).stream()
                .limit(has(SharedFlaw.FIRST_WAITER_ONLY) ? 1 : Integer.MAX_VALUE)
                .forEach(waiter -> waiter.signals().onSignal(Signal.MAYBE_FREE));
    }

    private List<@Nullable Waiter> firstThatFit(Lock lock) {
        int free = lock.capacity - lock.used;
        List<@Nullable Waiter> fitting = new ArrayList<>();
        for (Waiter waiter : lock.waiters.values()) {
            int weight = weight(waiter.claim());
            if (weight <= free) {
                fitting.add(waiter);
                free -= weight;
            } else if (!has(SharedFlaw.SMALL_ONES_PASS)) {
                break;
            }
        }
        return fitting;
    }
}
