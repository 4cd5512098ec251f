package io.hasp.redis.script;

import static io.hasp.redis.script.QueueSimulation.LOCK;
import static io.hasp.redis.script.QueueSimulation.MS;
import static io.hasp.redis.script.QueueSimulation.SECOND;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Invariants of each step of a {@link QueueSimulation}. */
final class QueueChecks {
    /** The interval of the checks for a free lock. */
    static final long SAMPLE = 50 * MS;

    /** A waiter near the front asks so often. */
    private static final long POLL = 500 * MS;
    /** A waiter near the front that has stopped counts as alive for so long; one that was called, for less. */
    private static final long ENTRY = 1_750 * MS;
    /** For so long the server remembers who was the last holder. */
    private static final long MEMORY = 60 * SECOND;
    /** A renewal that names the counter lets it live longer by this. */
    private static final long COUNTER_SPARE = 300 * SECOND;

    private static final long LONGEST_LIFE = 70 * SECOND;
    private static final int REPORTED = 4;

    private final QueueSimulation world;
    private final List<String> violations = new ArrayList<>();
    private String before = "";
    private long newest;
    private long freeSince = -1;
    private @Nullable SimulatedHolder next;
    private long longestFree;
    private int grants;

    QueueChecks(QueueSimulation world) {
        this.world = world;
    }

    void violated(String what) {
        if (violations.isEmpty()) {
            before = world.last();
        }
        violations.add(world.time() + " s: " + what);
    }

    int grants() {
        return grants;
    }

    long longestFree() {
        return longestFree;
    }

    boolean failed() {
        return !violations.isEmpty();
    }

    /** The violations and what happened before the first one; empty if there is none. */
    String report() {
        return violations.isEmpty()
                ? ""
                : String.join("\n", violations.subList(0, Math.min(violations.size(), REPORTED))) + "\nbefore:\n"
                        + before;
    }

    /** A script has stored grants, new ones and others. */
    void stored(List<VirtualRedis.Stored> all) {
        Set<SimulatedHolder> served = new HashSet<>();
        all.stream()
                .sorted(Comparator.comparingLong(VirtualRedis.Stored::token))
                .forEach(stored -> {
                    SimulatedHolder holder = world.holder(stored.holder());
                    if (stored.token() != holder.granted()) {
                        if (stored.token() <= newest) {
                            violated(holder.id + " has the token " + stored.token() + " after " + newest);
                        }
                        newest = stored.token();
                        holder.granted(newest);
                        served.add(holder);
                        grants++;
                    }
                });
        if (world.faults.ordered()) {
            served.forEach(this::passesNobody);
        }
    }

    private void passesNobody(SimulatedHolder served) {
        int capacity = served.wish.capacity();
        for (SimulatedHolder other : world.holders) {
            boolean before = served.place() == 0 || other.place() < served.place();
            if (other != served && other.mustNotBePassed() && (before || other.wish.capacity() != capacity)) {
                violated(served.id + " (place " + served.place() + ", " + served.wish + ") passes " + other.id
                        + " (place " + other.place() + ", " + other.wish + ")");
            }
        }
    }

    /** A client believes from now on that it has the lock. */
    void holds(SimulatedHolder newest) {
        int sum = 0;
        for (SimulatedHolder holder : world.holders) {
            if (holder.believes()) {
                sum += holder.weight();
                if (holder.wish.capacity() != newest.wish.capacity()) {
                    violated(newest.id + " and " + holder.id + " hold locks of different kinds");
                }
            }
        }
        if (sum > newest.wish.capacity()) {
            violated("with " + newest.id + " the holders have " + sum + " of " + newest.wish.capacity());
        }
    }

    /** Looks whether the lock is free although the first live waiter fits. */
    void sample() {
        VirtualRedis.Holders held = world.redis.holders(LOCK, world.now());
        if (held.used() > held.capacity()) {
            violated("the server has granted " + held.used() + " of " + held.capacity());
        }
        Optional<SimulatedHolder> first = world.holders.stream()
                .filter(SimulatedHolder::informed)
                .min(Comparator.comparingLong(SimulatedHolder::place));
        if (first.isPresent() && free(held, first.get())) {
            isFree(first.get());
        } else {
            freeSince = -1;
        }
    }

    private void isFree(SimulatedHolder first) {
        // The one before it was served, so the queue has moved on; another one that has stopped may be in front now.
        boolean moved = next != null && next != first && next.granted() != 0;
        next = first;
        freeSince = freeSince < 0 || moved ? world.now() : freeSince;
        long free = world.now() - freeSince;
        longestFree = Math.max(longestFree, free);
        if (free > longest()) {
            violated("the lock has been free for " + free / MS + " ms, and " + first.id + " waits for it");
            freeSince = -1;
        }
    }

    private static boolean free(VirtualRedis.Holders held, SimulatedHolder first) {
        if (held.weights().isEmpty()) {
            return true;
        }
        return held.capacity() == first.wish.capacity()
                && !held.weights().containsKey(first.id)
                && held.used() + first.wish.weight() <= held.capacity();
    }

    /**
     * For how long the lock may be free. A release, and a waiter that leaves, serve the queue in the same step, so that two looks in a row
     * never find the lock free. After a crash the waiter in front may have stopped: it keeps the others out until its entry expires, which
     * is CLAIM after a call, and at most ENTRY where it needed none; and then the first live one asks with its next poll. Where requests
     * are lost, each of them costs a command timeout, so there is no bound but the end of the wait.
     */
    private long longest() {
        return switch (world.faults) {
            case NONE -> SAMPLE / 2;
            case CRASHES, LOST_MESSAGES, OTHER_KINDS -> ENTRY + POLL + SAMPLE;
            case LOST_REQUESTS -> Long.MAX_VALUE;
        };
    }

    /** All have asked for the last time, and so much time has passed that each wait and each lease must be over. */
    void ended() {
        world.holders.stream()
                .filter(holder -> holder.client.runs())
                .forEach(holder -> violated(holder.id + " neither gave up nor released the lock"));
        world.pass(LONGEST_LIFE);
        List<String> inUse = new ArrayList<>(world.redis.left(world.now()));
        inUse.removeIf(key -> !List.of(LOCK, LOCK + ":q", LOCK + ":w").contains(key));
        world.pass(2 * MEMORY + COUNTER_SPARE);
        List<String> left = world.redis.left(world.now());
        if (!inUse.isEmpty() || !left.isEmpty()) {
            violated("left of lock and queue: " + inUse + ", and of all keys: " + left);
        }
    }
}
