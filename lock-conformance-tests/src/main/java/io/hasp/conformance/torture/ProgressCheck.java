package io.hasp.conformance.torture;

import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.Event.Kind;
import io.hasp.conformance.history.History;
import io.hasp.conformance.history.Verdict;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks that clients got locks again after the last fault: otherwise a torture in which every call fails would pass.
 */
final class ProgressCheck {

    private ProgressCheck() {}

    static Optional<Verdict> missing(History history) {
        return clients(history).isEmpty()
                ? Optional.of(new Verdict.Broken(
                        "clients get locks after the last fault", "torture", "nobody got any lock any more", ""))
                : Optional.empty();
    }

    /** Returns the clients that got a lock after the last fault. */
    static SortedSet<String> clients(History history) {
        long healed = history.events().stream()
                .filter(event -> event.kind() == Kind.HEALED || event.kind() == Kind.DIED)
                .mapToLong(Event::at)
                .max()
                .orElse(Long.MIN_VALUE);
        return history.events().stream()
                .filter(event -> event.kind() == Kind.GRANTED && event.at() > healed)
                .map(Event::client)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
