package io.hasp.redis.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The scripts of shares in Java and without time: a lease or a waiter ends on command. */
final class SharedModel {
    private final int capacity;
    /** The weights of those whose lease has not ended. */
    final Map<String, Integer> holders = new HashMap<>();

    final TreeMap<Long, Waiter> queue = new TreeMap<>();
    /** In the order of their grants, of the last call. */
    final List<String> served = new ArrayList<>();

    private final Set<String> buried = new HashSet<>();

    SharedModel(int capacity) {
        this.capacity = capacity;
    }

    record Waiter(String name, int weight, boolean alive) {}

    enum Answer {
        CONFIRMED,
        GRANTED,
        BUSY,
        GONE
    }

    /** Requests a share. A waiter that is refused takes its place by {@link #enter}. */
    Answer acquire(String me, int weight) {
        served.clear();
        if (buried.contains(me)) {
            return Answer.GONE;
        }
        if (holders.containsKey(me)) {
            return Answer.CONFIRMED;
        }
        serve(me);
        if (!holders.containsKey(me) && queue.isEmpty() && used() + weight <= capacity) {
            grant(me, weight);
        }
        return holders.containsKey(me) ? Answer.GRANTED : Answer.BUSY;
    }

    void enter(long ticket, String me, int weight) {
        queue.put(ticket, new Waiter(me, weight, true));
    }

    boolean release(String me, boolean bury) {
        served.clear();
        boolean held = holders.remove(me) != null;
        queue.values().removeIf(waiter -> waiter.name().equals(me));
        if (bury) {
            buried.add(me);
        }
        serve("");
        return held;
    }

    boolean renew(String me, int weight) {
        served.clear();
        boolean lowered = holders.getOrDefault(me, 0) > weight;
        if (lowered) {
            holders.put(me, weight);
            serve("");
        }
        return holders.containsKey(me);
    }

    void end(String me) {
        holders.remove(me);
    }

    void silence(String name) {
        queue.replaceAll(
                (ticket, waiter) -> waiter.name().equals(name) ? new Waiter(name, waiter.weight(), false) : waiter);
    }

    int used() {
        return holders.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void serve(String me) {
        while (!queue.isEmpty() && used() < capacity) {
            Waiter head = Objects.requireNonNull(queue.firstEntry()).getValue();
            boolean alive = head.alive() || head.name().equals(me);
            if (alive && used() + head.weight() > capacity) {
                return;
            }
            queue.pollFirstEntry();
            if (alive) {
                grant(head.name(), head.weight());
            }
        }
    }

    private void grant(String name, int weight) {
        holders.put(name, weight);
        served.add(name);
    }
}
