package io.hasp.spring.actuator;

import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.spring.ListenerOfEach;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases held by this application's clients, and the number of waiting callers, collected from the clients' events.
 */
public final class LeasesHere implements ListenerOfEach {
    /**
     * A lease.
     *
     * @param client the name of the client's bean
     * @param fencingToken as a text, because readers of JSON round numbers of this size
     * @param suspect true while the service does not confirm it
     */
    public record HeldLease(String client, String lock, String fencingToken, Instant since, boolean suspect) {}

    private record Key(String client, String lock, long fencingToken) {}

    private final Map<Key, HeldLease> held = new ConcurrentHashMap<>();

    /** By the names of their locks. */
    private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

    public LeasesHere() {}

    @Override
    public LockListener of(String client) {
        return event -> {
            if (event instanceof LockEvent.OfLease ofLease) {
                update(new Key(client, ofLease.lock(), ofLease.fencingToken()), ofLease);
            } else if (event instanceof LockEvent.Waiting) {
                waiting.merge(event.lock(), 1, Integer::sum);
            } else if (event instanceof LockEvent.WaitEnded) {
                waiting.computeIfPresent(event.lock(), (any, count) -> count == 1 ? null : count - 1);
            }
        };
    }

    private void update(Key key, LockEvent.OfLease event) {
        if (event instanceof LockEvent.Acquired) {
            held.put(key, new HeldLease(key.client, key.lock, Long.toString(key.fencingToken), Instant.now(), false));
        } else if (event instanceof LockEvent.Released || event instanceof LockEvent.Lost) {
            held.remove(key);
        } else if (event instanceof LockEvent.Suspect || event instanceof LockEvent.Renewed) {
            boolean suspect = event instanceof LockEvent.Suspect;
            held.computeIfPresent(
                    key,
                    (any, lease) -> new HeldLease(lease.client, lease.lock, lease.fencingToken, lease.since, suspect));
        }
    }

    Map<String, Integer> waiting() {
        return new TreeMap<>(waiting);
    }

    List<HeldLease> held() {
        return held.values().stream()
                .sorted(Comparator.comparing(HeldLease::client)
                        .thenComparing(HeldLease::lock)
                        .thenComparing(HeldLease::fencingToken))
                .toList();
    }
}
