package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of one lock. Immutable.
 *
 * @param lock the lock's name
 * @param events the events of this lock, and those that belong to no lock, in order
 * @param attempts the acquisitions, in the order in which they began
 */
record LockHistory(String lock, List<Event> events, List<Attempt> attempts) {
    /** Leases under one grant have tokens less than this apart. */
    private static final int LEASES_OF_A_GRANT = 256;

    static LockHistory of(History history, String lock) {
        List<Event> events = history.events().stream()
                .filter(event -> event.lock().isEmpty() || event.lock().equals(lock))
                .toList();
        List<Event> deaths =
                events.stream().filter(event -> event.kind() == Kind.DIED).toList();
        List<Event> breaks = events.stream()
                .filter(event -> event.kind() == Kind.BREAKING || event.kind() == Kind.BROKEN)
                .toList();
        Map<Key, List<Event>> byAttempt = new LinkedHashMap<>();
        for (Event event : events) {
            if (event.attempt() != 0) {
                byAttempt
                        .computeIfAbsent(new Key(event.client(), event.attempt()), key -> new ArrayList<>())
                        .add(event);
            }
        }
        List<Attempt> attempts = byAttempt.values().stream()
                .map(own -> Attempt.of(own, death(own.get(0), deaths), ofGrant(own, breaks)))
                .toList();
        return new LockHistory(lock, events, attempts);
    }

    /** The operator's breaks of the grant under an attempt's lease. */
    private static List<Event> ofGrant(List<Event> own, List<Event> breaks) {
        long token = own.stream()
                .filter(event -> event.kind() == Kind.GRANTED)
                .mapToLong(LockHistory::tokenOfGrant)
                .findFirst()
                .orElse(0);
        return breaks.stream()
                .filter(event -> token >= event.value() && token - event.value() < LEASES_OF_A_GRANT)
                .toList();
    }

    private static long tokenOfGrant(Event granted) {
        String note = granted.note();
        return note.startsWith(Event.REST) ? Long.parseLong(note.substring(Event.REST.length())) : granted.value();
    }

    private static long death(Event first, List<Event> deaths) {
        return deaths.stream()
                .filter(death -> death.at() >= first.at() && Event.belongs(first.client(), death.client()))
                .mapToLong(Event::at)
                .min()
                .orElse(Attempt.NEVER);
    }

    /** The attempts that got the lock, by the time of the answer. */
    List<Attempt> grants() {
        return attempts.stream()
                .filter(Attempt::granted)
                .sorted(Comparator.comparingLong(Attempt::start))
                .toList();
    }

    private record Key(String client, long attempt) {}
}
